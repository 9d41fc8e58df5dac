use shakmaty::{Chess, Color};
use thiserror::Error;

use super::{Budget, Job, fen};
use crate::{
    constraint::{Atom, Constraint, Target, TargetError},
    network::{NetworkError, NetworkKind as _, NetworkSource, Policy, SatisfactionNetwork},
    satisfaction::{Adviser, is_default_network_trained_on},
    search::Effort,
    settings::{Backend, Choice as _, Evaluator, Method, Setting, Settings, Value, quoted},
};

/// What is asked for, wherever it was said: on the command line, over UCI, in a tournament's plan, or by a program.
#[derive(Clone, Debug)]
pub struct Request {
    /// What the last position must satisfy.
    pub target: Target,
    /// The position that proof games start from.
    pub root: Chess,
    /// What was set.
    pub settings: Settings,
    /// Whether one side's next move must be found soon: then `auto` is a search.
    pub is_urgent: bool,
}

/// A request made ready, and what was set in vain.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// What is to be done.
    pub job: Job,
    /// What was set and the method does not heed, if anything.
    pub unheeded: Option<RequestError>,
}

/// A network that a request needs, by its name or path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkWanted {
    /// One that draws moves.
    Policy(String),
    /// One that values positions.
    Satisfaction(String),
}

/// Why a request cannot be met: what was asked for, without dashes, and what is wrong with it.
#[derive(Clone, Debug, Error)]
#[error("{asked}: {reason}")]
pub struct RequestError {
    /// The setting at fault, with its value where that matters.
    pub asked: String,
    /// What is wrong.
    pub reason: String,
}

impl RequestError {
    fn new(asked: &str, reason: impl Into<String>) -> RequestError {
        RequestError { asked: asked.to_owned(), reason: reason.into() }
    }

    fn network(error: &NetworkError) -> RequestError {
        let text = error.to_string();
        RequestError::new("network", text.strip_prefix("network ").unwrap_or(&text))
    }

    /// The setting at fault, without its value.
    pub fn setting(&self) -> &str {
        self.asked.split([' ', ',']).next().unwrap_or(&self.asked)
    }
}

/// What kind of network was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Policy,
    Satisfaction,
}

impl Request {
    /// A request for positions that satisfy a constraint, from the initial position with the usual settings.
    ///
    /// # Errors
    /// [`TargetError`] if the text is no constraint, or too complex a one.
    pub fn of(constraint: &str) -> Result<Request, TargetError> {
        Ok(Request::new(constraint.parse()?, Settings::default()))
    }

    /// A request for positions like `target` from the initial position.
    pub fn new(target: Target, settings: Settings) -> Request {
        Request { target, root: Chess::default(), settings, is_urgent: false }
    }

    /// The one answer to what was asked for: the method, its network, its ratings and limits. `networks` gives networks
    /// by name.
    ///
    /// # Errors
    /// [`RequestError`] if there is no such network, or the method cannot do what is asked.
    pub fn resolve(&self, networks: &mut impl NetworkSource) -> Result<Resolved, RequestError> {
        let Request { target, root, settings, .. } = self;
        let named = self.named_network(networks)?;
        let method = self.method(named);
        let unheeded = self.unheeded(method, named);
        let adviser = self.adviser(method, networks)?;
        let job = Job {
            root: root.clone(),
            first_ply: 0,
            target: target.clone(),
            method,
            ratings: if method.has_policy() { self.ratings()? } else { [None; 2] },
            budget: Budget::new(method, settings),
            adviser,
            opening_plies: Effort::OPENING,
            seed: settings.seed.unwrap_or(1),
            settings: settings.clone(),
        };
        Ok(Resolved { job, unheeded })
    }

    /// As [`Request::resolve`], with an error for everything that was set in vain.
    ///
    /// # Errors
    /// [`RequestError`]
    pub fn resolve_strictly(&self, networks: &mut impl NetworkSource) -> Result<Job, RequestError> {
        // What was set in vain is the first thing to say, even if a network is missing besides.
        let resolved = self.resolve(networks);
        match resolved {
            Ok(Resolved { unheeded: Some(error), .. }) => Err(error),
            Ok(Resolved { job, .. }) => Ok(job),
            Err(error) => Err(error),
        }
    }

    /// The method that is set, or of those that will do the first that heeds all that is set, or most of it.
    fn method(&self, named: Option<Named>) -> Method {
        if let Some(method) = self.settings.method {
            return method;
        }
        let counts = self.target.goal.is_some() || self.settings.faithful;
        let search = if counts { Method::Negamax } else { Method::BestFirst };
        let candidates: &[Method] =
            if self.is_urgent { &[search] } else { &[Method::GoalPolicy, search, Method::Puct] };
        let in_vain = |method: &&Method| self.set_in_vain(**method, named).len();
        *candidates.iter().min_by_key(in_vain).expect("there are candidates")
    }

    /// What is set and `method` does not heed.
    fn set_in_vain(&self, method: Method, named: Option<Named>) -> Vec<(&'static Setting, Value)> {
        let settings = &self.settings;
        let is_in_vain = |(setting, value): &(&Setting, Value)| match (setting.name, value) {
            // Whose network it is shows in the file.
            ("network", _) => named.is_some_and(|named| (named == Named::Policy) != method.has_policy()),
            ("evaluator", Value::Word("network")) => method != Method::Negamax,
            _ => !setting.is_heeded_by(method),
        };
        let mut all = settings.changes();
        // An option of UCI, which asks for negamax as `network` does.
        all.extend(Setting::named("eval-file").and_then(|setting| Some((setting, setting.get(settings)?))));
        all.retain(is_in_vain);
        all
    }

    /// An error that names everything that is set in vain.
    fn unheeded(&self, method: Method, named: Option<Named>) -> Option<RequestError> {
        let in_vain = self.set_in_vain(method, named);
        let (first, _) = in_vain.first()?;
        let names: Vec<&str> = in_vain.iter().map(|(setting, _)| setting.name).collect();
        let heeding = |method: &&Method| {
            let mut all = in_vain.iter();
            all.all(|one| !self.set_in_vain(**method, named).iter().any(|other| other.0.name == one.0.name))
        };
        let who: Vec<&str> = Method::ALL.iter().filter(heeding).map(|method| method.word()).collect();
        let what = if names.len() == 1 { "it" } else { "them" };
        let reason = match who.as_slice() {
            [] => format!("no method heeds all of {what}"),
            [only] => format!("only the method {only} heeds {what}"),
            many => format!("only the methods {} heed {what}", many.join(" and ")),
        };
        let reason = format!("{reason}; this is {}", method.word());
        let asked = if names.len() == 1 { first.name.to_owned() } else { names.join(", ") };
        Some(RequestError { asked, reason })
    }

    /// The kind of the network that `network` names, if it names one.
    fn named_network(&self, networks: &mut impl NetworkSource) -> Result<Option<Named>, RequestError> {
        let Some(name) = self.settings.network.as_deref() else { return Ok(None) };
        // With a method the network must be the method's; what is wrong with it is then said of that.
        if self.settings.method.is_some() {
            return Ok(None);
        }
        if SatisfactionNetwork::embedded(name).is_some() {
            return Ok(Some(Named::Satisfaction));
        }
        match networks.policy(name, self.settings.backend) {
            Ok(_) => Ok(Some(Named::Policy)),
            Err(NetworkError::Shape { .. }) => Ok(Some(Named::Satisfaction)),
            Err(error) => Err(RequestError::network(&error)),
        }
    }

    /// The network that the request needs, as far as that can be said before any is loaded.
    pub fn network_wanted(&self) -> Option<NetworkWanted> {
        self.wanted(self.method(None))
    }

    /// The network that a method needs.
    fn wanted(&self, method: Method) -> Option<NetworkWanted> {
        let Settings { network, policy_file, eval_file, evaluator, .. } = &self.settings;
        let name = |file: &Option<String>, usual: &str| {
            network.as_ref().or(file.as_ref()).map_or_else(|| usual.to_owned(), Clone::clone)
        };
        match method {
            Method::BestFirst => None,
            Method::GoalPolicy | Method::Puct => {
                Some(NetworkWanted::Policy(name(policy_file, Policy::DEFAULT)))
            }
            Method::Negamax => {
                let is_named = network.is_some() || eval_file.is_some();
                let wants_network = match evaluator {
                    Evaluator::Auto => {
                        let goal = self.target.goal.as_ref();
                        is_named || goal.is_some_and(is_default_network_trained_on)
                    }
                    Evaluator::Network => true,
                    Evaluator::Men | Evaluator::HandWritten => false,
                };
                wants_network
                    .then(|| NetworkWanted::Satisfaction(name(eval_file, SatisfactionNetwork::DEFAULT)))
            }
        }
    }

    /// What values positions, or draws moves.
    fn adviser(&self, method: Method, networks: &mut impl NetworkSource) -> Result<Adviser, RequestError> {
        if method == Method::Negamax {
            self.check_negamax()?;
        }
        match self.wanted(method) {
            None => Ok(Adviser::Men),
            Some(wanted) => {
                let backend = self.settings.backend;
                let asked = || format!("backend {}", backend.word());
                backend.check().map_err(|reason| RequestError::new(&asked(), reason))?;
                match wanted {
                    NetworkWanted::Policy(name) => networks.policy(&name, backend).map(Adviser::Policy),
                    NetworkWanted::Satisfaction(name) => {
                        networks.network(&name, backend).map(Adviser::Network)
                    }
                }
                .map_err(|error| RequestError::network(&error))
            }
        }
    }

    /// Whether negamax can do it.
    fn check_negamax(&self) -> Result<(), RequestError> {
        let Settings { faithful, evaluator, backend, .. } = self.settings;
        if self.target.goal.is_none() {
            if faithful {
                let reason = "the published algorithm knows nothing but numbers of men";
                return Err(RequestError::new("faithful", reason));
            }
            let constraint = &self.target.constraint;
            let reason = format!(
                "it is led by numbers of men alone, and '{constraint}' says more; best-first is led by everything"
            );
            return Err(RequestError::new("method negamax", reason));
        }
        if evaluator.excludes_networks() && self.settings.network.is_some() {
            return Err(RequestError::new("network", format!("the evaluator {} has none", evaluator.word())));
        }
        if backend != Backend::Tract && self.wanted(Method::Negamax).is_none() {
            let hint = if evaluator == Evaluator::Auto { "; evaluator network asks for one" } else { "" };
            let reason = format!("the evaluator men has no network to run{hint}");
            return Err(RequestError::new(&format!("backend {}", backend.word()), reason));
        }
        Ok(())
    }

    /// White's and Black's rating; those in the constraint win over those that are set.
    fn ratings(&self) -> Result<[Option<(u16, u16)>; 2], RequestError> {
        let Settings { white_elo, black_elo, .. } = self.settings;
        let mut ratings = [white_elo, black_elo].map(|elo| elo.map(|elo| (elo, elo)));
        for (place, color) in Color::ALL.into_iter().enumerate() {
            let demanded = demanded(&self.target.constraint, color);
            if let Some(range) = demanded.map_err(|reason| RequestError::new("constraint", reason))? {
                ratings[place] = Some(range);
            }
        }
        Ok(ratings)
    }
}

/// The command line that generates for `constraint` from `root` again, all games with that seed; `--index` asks for one of
/// them.
pub fn command(settings: &Settings, constraint: &str, root: &Chess, seed: u64) -> String {
    let mut words = vec!["entente generate".to_owned(), quoted(constraint)];
    words.extend(settings.flags());
    if settings.max_plies != Settings::default().max_plies {
        words.push(format!("--max-plies {}", settings.max_plies));
    }
    let root = fen(root);
    if root != fen(&Chess::default()) {
        words.push(format!("--from {}", quoted(&root.to_string())));
    }
    words.push(format!("--seed {seed}"));
    words.join(" ")
}

/// The ratings of a player that `constraint` allows, if it says anything of them.
fn demanded(constraint: &Constraint, color: Color) -> Result<Option<(u16, u16)>, String> {
    let mut allowed: Option<(u16, u16)> = None;
    for atom in constraint.atoms() {
        let Atom::Rating(rating) = atom else { continue };
        if rating.player.is_some_and(|player| player != color) {
            continue;
        }
        let bound = |number: i16| u16::try_from(number).unwrap_or(0);
        let (low, high) = (bound(rating.range.low()), bound(rating.range.high()));
        let (low, high) = allowed.map_or((low, high), |(least, most)| (least.max(low), most.min(high)));
        if low > high {
            let player = color.fold_wb("White", "Black");
            return Err(format!("no rating of {player} is as demanded"));
        }
        allowed = Some((low, high));
    }
    Ok(allowed)
}
