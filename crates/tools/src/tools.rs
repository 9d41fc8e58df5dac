//! The list of tools.

use crate::{check, draw, generate, play, policy, prove, solve, tool::Tool};

/// All tools, in the order in which clients list them.
pub const TOOLS: [&Tool; 7] =
    [&generate::TOOL, &check::TOOL, &prove::TOOL, &solve::TOOL, &play::TOOL, &policy::TOOL, &draw::TOOL];
