//! The method of a request, and the settings that it does not use.

use entente_constraint::{Situation, Target, guide::Guide, plies_before};

use entente_search::Chess960;

use super::{Request, network::Named};
use crate::{
    generation::{RequestError, RequestFault},
    settings::{Choice as _, Method, Setting, Settings, Value},
};

/// From this number of men with given squares on, a constraint needs a plan, like a diagram.
const MEN_OF_A_PLAN: usize = 8;

/// The search that suits a target: negamax for numbers of men, best-first search for other conditions.
pub(crate) fn search_for(target: &Target) -> Method {
    if target.goal.is_some() { Method::Negamax } else { Method::BestFirst }
}

impl Request {
    /// The method that is set. Otherwise, the first suitable method among those that leave the fewest settings unused.
    pub(super) fn method(&self, named: Option<Named>) -> Method {
        if let Some(method) = self.settings.method {
            return method;
        }
        let search = if self.settings.faithful { Method::Negamax } else { search_for(&self.target) };
        if Chess960::castles_differently(&self.root) {
            // The policies know only standard chess.
            return search;
        }
        let candidates: &[Method] = if self.wants_a_plan() {
            &[Method::BestFirst, Method::GoalPolicy, Method::Puct]
        } else {
            &[Method::GoalPolicy, search, Method::Puct]
        };
        let unused = |method: &&Method| self.unused_settings(**method, named).len();
        *candidates.iter().min_by_key(unused).expect("there are candidates")
    }

    /// True if games reach the target only with a plan, because it gives the squares of many men.
    fn wants_a_plan(&self) -> bool {
        let start = Situation::first(&self.root, plies_before(&self.root));
        // A goal has only numbers of men and no squares, so no guide is needed.
        self.target.goal.is_none()
            && Guide::new(&self.target, start).is_ok_and(|guide| guide.men_to_place() >= MEN_OF_A_PLAN)
    }

    /// The settings that were set and that `method` does not use, with their values.
    fn unused_settings(&self, method: Method, named: Option<Named>) -> Vec<(Setting, Value)> {
        let is_unused = |(setting, value): &(Setting, Value)| match (*setting, value) {
            // The file shows which methods can use the network.
            (Setting::Network, _) => match named {
                Some(Named::Policy) => !method.has_policy(),
                Some(Named::Satisfaction) => !method.uses_satisfaction_values(),
                None => method == Method::BestFirst,
            },
            (Setting::Evaluator, Value::Word("network")) => !method.uses_satisfaction_values(),
            _ => !setting.row().is_used_by(method),
        };
        let mut all = self.settings.changes();
        // A UCI option, which names a network for negamax as `network` does.
        let settings = Settings::from(self.settings.clone());
        let eval_file = Setting::EvalFile.row().get(&settings);
        all.extend(eval_file.map(|value| (Setting::EvalFile, value)));
        all.retain(is_unused);
        all
    }

    /// An error that names all settings that the method does not use; `None` if it uses all.
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
