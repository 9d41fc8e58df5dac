//! The speed of networks, in evaluations per second, and of methods, in positions found per second.

use std::{
    sync::atomic::AtomicBool,
    thread,
    time::{Duration, Instant},
};

use entente::{
    engine::{Engine, EngineError},
    generation::{Job, Request},
    parallel::{self, map_in_order},
    settings::{Choice as _, Evaluator, GenerationSettings, Method, Realism},
};
use entente_constraint::{Target, thesis};
use entente_network::{
    Backend, NetworkError, NetworkKind, Policy, Query, SatisfactionNetwork,
    encoding::goal_policy::{Aim, Context},
    inputs,
};
use entente_search::position_from_fen;
use shakmaty::{Chess, MoveList, Position};

use super::positions::POSITIONS;

/// The batch sizes.
const BATCHES: [usize; 2] = [1, 32];
/// The rating of the players in generated games.
const RATING: u16 = 1500;

/// Speed measurements, whose names stay the same from version to version. Unlike node counts they depend on the machine
/// and its load.
#[derive(Clone, Debug)]
pub struct Speed {
    /// Further networks apart from those built in: ONNX files.
    pub networks: Vec<String>,
    /// The number of threads. Networks are also measured on one thread.
    pub threads: u32,
    /// The minimum time for which each network is measured.
    pub time: Duration,
    /// The number of positions that each method generates for each of the 17 constraints of the thesis's experiment 2.
    pub games: u64,
}

/// One measurement.
#[derive(Clone, Debug)]
pub struct SpeedLine {
    /// Its name, such as `goal-policy/cpu/batch-1/threads-2` or `natural/threads-2`.
    pub name: String,
    /// The speed, in units per second.
    pub rate: f64,
    /// The unit.
    pub unit: &'static str,
}

impl Speed {
    /// Runs all measurements, one after another, and passes each to `report`.
    ///
    /// # Errors
    /// [`EngineError`] if a network cannot be used, and the errors of `report`.
    pub fn run<E: From<EngineError>>(
        &self,
        mut report: impl FnMut(SpeedLine) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut threads = vec![1, self.threads];
        threads.dedup();
        // All networks are opened first, so that errors appear at once.
        let embedded = Policy::EMBEDDED.iter().chain(SatisfactionNetwork::EMBEDDED).map(|(name, _)| *name);
        let mut networks = Vec::new();
        for name in embedded.chain(self.networks.iter().map(String::as_str)) {
            for backend in [Backend::Cpu, Backend::TorchCpu, Backend::Torch]
                .into_iter()
                .filter(|backend| backend.check().is_ok() && backend.note().is_none())
            {
                networks.push((name, backend, Network::open(name, backend).map_err(EngineError::from)?));
            }
        }
        for (name, backend, network) in &networks {
            for (batch, threads) in
                BATCHES.iter().flat_map(|batch| threads.iter().map(move |threads| (*batch, *threads)))
            {
                let rate = network.rate(batch, threads, self.time).map_err(EngineError::from)?;
                let name = format!("{name}/{}/batch-{batch}/threads-{threads}", backend.word());
                report(SpeedLine { name, rate, unit: "evaluations" })?;
            }
        }
        for (name, settings) in methods() {
            let rate = self.positions_rate(settings)?;
            let name = format!("{name}/threads-{}", self.threads);
            report(SpeedLine { name, rate, unit: "positions" })?;
        }
        Ok(())
    }

    /// Positions per second by a method, for the 17 constraints of the thesis's experiment 2.
    fn positions_rate(&self, settings: GenerationSettings) -> Result<f64, EngineError> {
        // Networks are loaded once, and before the clock starts.
        let mut engine = Engine::default();
        let jobs = thesis::SEVENTEEN.iter().map(|counts| {
            let target =
                Target::new(thesis::constraint(*counts)).expect("the thesis's constraints are valid");
            let settings = settings.clone().changed(|settings| settings.seed = Some(1));
            engine.job(&Request::new(target, settings))
        });
        let jobs = jobs.collect::<Result<Vec<Job>, EngineError>>()?;
        let (start, stop) = (Instant::now(), AtomicBool::new(false));
        map_in_order(&jobs, &mut parallel::threads(self.threads as usize), |(), job| {
            let mut generator = Engine::generator(job)?;
            (0..self.games).try_for_each(|index| generator.generate(index, &stop).map(drop))
        })?;
        Ok((self.games * jobs.len() as u64) as f64 / start.elapsed().as_secs_f64())
    }
}

/// The methods whose speed is measured, by name.
fn methods() -> [(&'static str, GenerationSettings); 3] {
    let policy = |realism| {
        GenerationSettings::with(|settings| {
            settings.realism = realism;
            (settings.white_elo, settings.black_elo) = (Some(RATING), Some(RATING));
        })
    };
    let negamax = GenerationSettings::with(|settings| {
        settings.method = Some(Method::Negamax);
        settings.depth = Some(2);
        settings.evaluator = Evaluator::Men;
    });
    [("natural", policy(Realism::Natural)), ("fast", policy(Realism::Fast)), ("negamax-2", negamax)]
}

/// A network of either kind.
enum Network {
    Policy(Policy),
    Satisfaction(SatisfactionNetwork),
}

impl Network {
    fn open(name: &str, backend: Backend) -> Result<Network, NetworkError> {
        // A file that is not a satisfaction network should be a policy; otherwise the error of the policy is reported.
        match SatisfactionNetwork::open(name) {
            Ok(network) => network.on(backend).map(Network::Satisfaction),
            Err(_) => Policy::open(name)?.on(backend).map(Network::Policy),
        }
    }

    /// Evaluations per second on `threads` threads, each with a batch of `batch` positions, in at least `time`.
    fn rate(&self, batch: usize, threads: u32, time: Duration) -> Result<f64, NetworkError> {
        let positions: Vec<Chess> =
            POSITIONS.iter().map(|fen| position_from_fen(fen).expect("the position is valid")).collect();
        let moves: Vec<MoveList> = positions.iter().map(Chess::legal_moves).collect();
        // The thesis's networks read only goals that give the counts of White's men.
        let counts = inputs::aim_of_counts(&thesis::SEVENTEEN[0]);
        let aim = match self {
            Network::Policy(_) => &Aim::NONE,
            Network::Satisfaction(_) => &counts,
        };
        let queries = positions.iter().zip(&moves).cycle().take(batch);
        let queries: Vec<Query<'_>> = queries
            .map(|(position, moves)| Query { position, moves, played: &[], context: Context::default(), aim })
            .collect();
        let rates = thread::scope(|scope| {
            let workers: Vec<_> =
                (0..threads).map(|_| scope.spawn(|| self.rate_of_one(&queries, time))).collect();
            let rates = workers.into_iter().map(|worker| worker.join().expect("a worker does not panic"));
            rates.collect::<Result<Vec<f64>, NetworkError>>()
        })?;
        Ok(rates.iter().sum())
    }

    fn rate_of_one(&self, queries: &[Query<'_>], time: Duration) -> Result<f64, NetworkError> {
        let mut ask: Box<dyn FnMut() -> Result<(), NetworkError>> = match self {
            Network::Policy(policy) => {
                let mut session = policy.session();
                Box::new(move || session.ask(queries).map(drop))
            }
            Network::Satisfaction(network) => {
                let (mut session, mut values) = (network.session(), Vec::new());
                Box::new(move || {
                    values.clear();
                    session.ask_until(queries, &|| false, &mut values)
                })
            }
        };
        // The first evaluation allocates buffers that later ones reuse.
        ask()?;
        let (start, mut answered) = (Instant::now(), 0);
        while start.elapsed() < time {
            ask()?;
            answered += queries.len();
        }
        Ok(answered as f64 / start.elapsed().as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_have_different_names_and_positive_speeds() {
        let speed = Speed { networks: Vec::new(), threads: 2, time: Duration::from_millis(1), games: 1 };
        let mut lines = Vec::new();
        let mut keep = |line| {
            lines.push(line);
            Ok::<(), EngineError>(())
        };
        speed.run(&mut keep).unwrap();
        let mut names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
        assert!(lines.iter().all(|line| line.rate > 0.0), "{lines:?}");
        for name in
            ["goal-policy/cpu/batch-32/threads-2", "thesis-2/cpu/batch-1/threads-1", "natural/threads-2"]
        {
            assert!(names.contains(&name), "{name} in {names:?}");
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), lines.len());
    }

    #[test]
    fn a_missing_network_is_an_error() {
        let speed = Speed {
            networks: vec!["no/such.onnx".to_owned()],
            threads: 1,
            time: Duration::from_millis(1),
            games: 1,
        };
        let error = speed.run(|_| Ok::<(), EngineError>(())).unwrap_err().to_string();
        assert!(error.contains("no/such.onnx"), "{error}");
    }
}
