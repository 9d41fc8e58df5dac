//! The list of tools.

use super::{check, draw, generate, policy, prove, tool::Tool};

/// All tools, in the order in which clients list them.
pub(super) const TOOLS: [&Tool; 5] =
    [&generate::TOOL, &check::TOOL, &prove::TOOL, &policy::TOOL, &draw::TOOL];
