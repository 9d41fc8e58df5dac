//! Which method a request means, and what it sets in vain.

use entente_constraint::{Situation, guide::Guide, plies_before};

use super::{Request, RequestError, RequestFault, network::Named};
use crate::settings::{Choice as _, Method, Setting, Settings, Value};

/// So many men on squares of their own are a diagram.
const MEN_OF_A_PLAN: usize = 8;

impl Request {
    /// The method that is set, or of those that will do the first that heeds all that is set, or most of it.
    pub(super) fn method(&self, named: Option<Named>) -> Method {
        if let Some(method) = self.settings.method {
            return method;
        }
        let counts = self.target.goal.is_some() || self.settings.faithful;
        let search = if counts { Method::Negamax } else { Method::BestFirst };
        let candidates: &[Method] = if self.is_urgent {
            &[search]
        } else if self.wants_a_plan() {
            &[Method::BestFirst, Method::GoalPolicy, Method::Puct]
        } else {
            &[Method::GoalPolicy, search, Method::Puct]
        };
        let unused = |method: &&Method| self.unused_settings(**method, named).len();
        *candidates.iter().min_by_key(unused).expect("there are candidates")
    }

    /// True if so many men are to stand on squares of their own that nobody gets there who has no plan.
    fn wants_a_plan(&self) -> bool {
        let start = Situation { position: &self.root, ply: plies_before(&self.root) };
        // What is about numbers of men alone needs no guide to tell.
        self.target.goal.is_none()
            && Guide::new(&self.target, start).is_ok_and(|guide| guide.men_to_place() >= MEN_OF_A_PLAN)
    }

    /// What is set and `method` does not heed.
    fn unused_settings(&self, method: Method, named: Option<Named>) -> Vec<(Setting, Value)> {
        let is_unused = |(setting, value): &(Setting, Value)| match (*setting, value) {
            // Whose network it is shows in the file.
            (Setting::Network, _) => match named {
                Some(Named::Policy) => !method.has_policy(),
                Some(Named::Satisfaction) => !method.values_positions(),
                None => method == Method::BestFirst,
            },
            (Setting::Evaluator, Value::Word("network")) => !method.values_positions(),
            _ => !setting.row().is_used_by(method),
        };
        let mut all = self.settings.changes();
        // An option of UCI, which asks for negamax as `network` does.
        let settings = Settings::from(self.settings.clone());
        let eval_file = Setting::EvalFile.row().get(&settings);
        all.extend(eval_file.map(|value| (Setting::EvalFile, value)));
        all.retain(is_unused);
        all
    }

    /// An error that names everything that is set in vain.
    pub(super) fn unused(&self, method: Method, named: Option<Named>) -> Option<RequestError> {
        let unused = self.unused_settings(method, named);
        if unused.is_empty() {
            return None;
        }
        let settings: Vec<(Setting, Option<Value>)> =
            unused.iter().map(|(setting, _)| (*setting, None)).collect();
        let uses_all = |method: Method| {
            let mut all = unused.iter();
            all.all(|one| !self.unused_settings(method, named).iter().any(|other| other.0 == one.0))
        };
        let used_by = Method::ALL.iter().copied().filter(|method| uses_all(*method)).collect();
        let reason = RequestFault::Unused { method, used_by, are_several: settings.len() > 1 };
        Some(RequestError { settings, reason })
    }
}
