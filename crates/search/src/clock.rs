use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// The time control of the side to move, as a GUI sends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left on the clock.
    pub left: Option<Duration>,
    /// Time added for each move.
    pub increment: Duration,
    /// Moves until the next time control; `None` means that the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Time for this move, all of which should be used.
    pub move_time: Option<Duration>,
    /// Time lost between the engine and the clock on every move.
    pub overhead: Duration,
}

/// The time that a search may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// The time after which no iteration begins.
    pub soft: Duration,
    /// The time at which the search is aborted.
    pub hard: Duration,
}

/// The assumed number of moves to come, and the most that are taken into account.
const MOVES_TO_COME: u32 = 30;
/// The part of the time left that a move may take even if the overhead of the moves to come would use all of it.
const LEAST_SHARE: f64 = 0.002;
/// The part of the time left that a plan may take, and the most that is taken because of this.
const SHARE_OF_PLAN: f64 = 0.1;
const MAX_SHARE_OF_PLAN: Duration = Duration::from_millis(250);
/// The least time after which a search is aborted.
const MIN: Duration = Duration::from_millis(1);

impl Clock {
    /// The time for this move; `None` if there is no limit.
    pub fn time_budget(&self) -> Option<TimeBudget> {
        let by_move = self.move_time.map(|time| {
            let time = time.saturating_sub(self.overhead).max(MIN);
            TimeBudget { soft: time, hard: time }
        });
        let by_clock = self.left.map(|left| {
            let moves = self.moves_to_go.unwrap_or(MOVES_TO_COME).clamp(1, MOVES_TO_COME);
            // Every move to come brings its increment and costs its overhead. Two more overheads are kept back: a
            // loaded machine may delay a move by more than the usual one.
            let income = left + self.increment * (moves - 1);
            let share = income.saturating_sub(self.overhead * (moves + 2)) / moves;
            let left = left.saturating_sub(self.overhead).max(MIN);
            let share = share.max(left.mul_f64(LEAST_SHARE));
            // The last move before a time control may use almost all the time, other moves at most 80%.
            let most = left.mul_f64(if moves == 1 { 0.95 } else { 0.8 }).max(MIN);
            // With almost no time left, only the first iteration is searched.
            TimeBudget { soft: share.mul_f64(0.7).min(most), hard: (share * 3).clamp(MIN, most) }
        });
        match (by_move, by_clock) {
            (Some(a), Some(b)) => Some(TimeBudget { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) }),
            (one, other) => one.or(other),
        }
    }

    /// The time for a move of a game that follows a plan; `None` if there is no limit. Most moves only continue the
    /// plan, so on a short clock a new plan may take a larger share than a move against an opponent.
    pub fn plan_budget(&self) -> Option<TimeBudget> {
        let usual = self.time_budget()?;
        let Some(left) = self.left.filter(|_| self.move_time.is_none()) else { return Some(usual) };
        let left = left.saturating_sub(self.overhead);
        let share = left.mul_f64(SHARE_OF_PLAN).min(MAX_SHARE_OF_PLAN);
        Some(TimeBudget { soft: usual.soft.max(share), hard: usual.hard.max(share * 2) })
    }
}

/// Deadlines that can be set while a search runs, as `ponderhit` does.
#[derive(Debug)]
pub struct Timer {
    start: Instant,
    /// The soft deadline in nanoseconds since `start`; `u64::MAX` means never.
    soft: AtomicU64,
    /// The length of the interval that ends at `soft`, in nanoseconds; 0 if all the time should be used.
    span: AtomicU64,
    /// The hard deadline in nanoseconds since `start`; `u64::MAX` means never.
    hard: AtomicU64,
}

impl Timer {
    /// A timer without deadlines.
    pub fn unlimited() -> Timer {
        let [soft, span, hard] = [u64::MAX, 0, u64::MAX].map(AtomicU64::new);
        Timer { start: Instant::now(), soft, span, hard }
    }

    /// Sets the deadlines of a search whose time began at `begin`.
    pub fn set(&self, begin: Instant, budget: TimeBudget) {
        let at = |time: Duration| {
            let since = (begin + time).saturating_duration_since(self.start);
            u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
        };
        // A fixed time per move is used completely, whatever share of it the search would take.
        let span = if budget.soft == budget.hard { Duration::ZERO } else { budget.soft };
        self.span.store(u64::try_from(span.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
        self.soft.store(at(budget.soft), Ordering::Relaxed);
        self.hard.store(at(budget.hard), Ordering::Relaxed);
    }

    /// True once no iteration should begin.
    pub fn soft_passed(&self) -> bool {
        self.passed(&self.soft)
    }

    /// True once no iteration should begin if the search takes only `share` of the time up to the soft deadline.
    pub fn share_passed(&self, share: f64) -> bool {
        let soft = self.soft.load(Ordering::Relaxed);
        let deadline = soft as f64 + (share - 1.0) * self.span.load(Ordering::Relaxed) as f64;
        soft != u64::MAX && self.start.elapsed().as_nanos() as f64 >= deadline
    }

    /// The time until the soft deadline; `None` if there is no deadline.
    pub fn soft_left(&self) -> Option<Duration> {
        let deadline = self.soft.load(Ordering::Relaxed);
        (deadline != u64::MAX).then(|| Duration::from_nanos(deadline).saturating_sub(self.start.elapsed()))
    }

    /// True once the search must end.
    pub fn hard_passed(&self) -> bool {
        self.passed(&self.hard)
    }

    /// True if there is a deadline.
    pub fn is_set(&self) -> bool {
        self.hard.load(Ordering::Relaxed) != u64::MAX
    }

    fn passed(&self, deadline: &AtomicU64) -> bool {
        let deadline = deadline.load(Ordering::Relaxed);
        deadline != u64::MAX && self.start.elapsed().as_nanos() >= u128::from(deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_move_never_takes_what_the_clock_does_not_have() {
        for left in [0, 1, 10, 49, 50, 51, 100, 1000, 60_000, 10_000_000_000] {
            for increment in [0, 100, 10_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let (increment, overhead) = (ms(increment), ms(30));
                    let clock =
                        Clock { left: Some(ms(left)), increment, moves_to_go, move_time: None, overhead };
                    let TimeBudget { soft, hard } = clock.time_budget().unwrap();
                    assert!(soft <= hard && MIN <= hard, "{clock:?}");
                    assert!(hard <= ms(left.saturating_sub(30)).max(MIN), "{clock:?}");
                }
            }
        }
    }

    #[test]
    fn the_time_is_spread_over_the_moves_to_come() {
        let clock = Clock { left: Some(ms(60_000)), ..Clock::default() };
        let whole = clock.time_budget().unwrap();
        assert!(ms(1000) <= whole.soft && whole.soft <= ms(2000) && whole.hard <= ms(6000), "{whole:?}");
        let with_increment = Clock { increment: ms(1000), ..clock }.time_budget().unwrap();
        assert!(with_increment.soft > whole.soft);
        let last = Clock { moves_to_go: Some(1), ..clock }.time_budget().unwrap();
        assert!(last.soft > ms(30_000), "{last:?}");
    }

    #[test]
    fn the_overhead_of_the_moves_to_come_is_kept_back() {
        let hard = |left, increment, overhead| {
            let (left, increment, overhead) = (Some(ms(left)), ms(increment), ms(overhead));
            Clock { left, increment, overhead, ..Clock::default() }.time_budget().unwrap().hard
        };
        // A game of a second, with almost no increment: after this move there must be time for many overheads.
        assert!(hard(1000, 10, 30) <= ms(40), "{:?}", hard(1000, 10, 30));
        assert!(hard(200, 10, 30) <= ms(2), "{:?}", hard(200, 10, 30));
        assert_eq!(hard(100, 1, 30), MIN);
        assert!(hard(1000, 10, 0) >= ms(100), "{:?}", hard(1000, 10, 0));
        // With minutes on the clock it makes no difference.
        assert!(hard(60_000, 0, 0) - hard(60_000, 0, 30) <= ms(100));
    }

    #[test]
    fn a_plan_may_take_a_tenth_of_a_short_clock() {
        let budget = |left, move_time: Option<u64>| {
            let (left, overhead) = (Some(ms(left)), ms(30));
            Clock { left, overhead, move_time: move_time.map(ms), ..Clock::default() }.plan_budget().unwrap()
        };
        assert_eq!(budget(1030, None), TimeBudget { soft: ms(100), hard: ms(200) });
        assert_eq!(budget(5030, None).soft, ms(250));
        assert_eq!(
            budget(60_000, None),
            Clock { left: Some(ms(60_000)), overhead: ms(30), ..Clock::default() }.time_budget().unwrap()
        );
        assert_eq!(budget(60_000, Some(50)), TimeBudget { soft: ms(20), hard: ms(20) });
        assert!(budget(20, None).hard <= MIN);
        assert_eq!(Clock::default().plan_budget(), None);
    }

    #[test]
    fn a_fixed_time_per_move_is_used_completely_except_for_the_overhead() {
        let clock = Clock { move_time: Some(ms(100)), overhead: ms(10), ..Clock::default() };
        assert_eq!(clock.time_budget(), Some(TimeBudget { soft: ms(90), hard: ms(90) }));
        let short = Clock { left: Some(ms(40)), ..clock }.time_budget().unwrap();
        assert!(short.hard < ms(40));
        assert_eq!(Clock::default().time_budget(), None);
    }

    #[test]
    fn a_share_of_the_time_has_no_effect_on_a_fixed_time_per_move() {
        let timer = Timer::unlimited();
        timer.set(Instant::now(), TimeBudget { soft: ms(1_000_000), hard: ms(2_000_000) });
        assert!(timer.share_passed(0.0) && !timer.share_passed(0.5));
        timer.set(Instant::now(), TimeBudget { soft: ms(1_000_000), hard: ms(1_000_000) });
        assert!(!timer.share_passed(0.0));
    }

    #[test]
    fn deadlines_can_be_set_later() {
        let timer = Timer::unlimited();
        assert!(!timer.is_set() && !timer.hard_passed());
        timer.set(Instant::now(), TimeBudget { soft: Duration::ZERO, hard: ms(1_000_000) });
        assert!(timer.is_set() && timer.soft_passed() && !timer.hard_passed());
        timer.set(Instant::now(), TimeBudget { soft: Duration::ZERO, hard: Duration::ZERO });
        assert!(timer.hard_passed());
    }
}
