//! The TimeControl tag and the time class of a game.

use std::fmt;

/// Thinking time of each player: the base time of the first period and the increment per move, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    /// Base time in seconds.
    pub base: u32,
    /// Increment per move in seconds.
    pub increment: u32,
}

/// The speed of a game, by the estimated time for 40 moves (the classes of Lichess).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeClass {
    /// Unknown.
    Unknown,
    /// Under 30 s.
    UltraBullet,
    /// Under 3 min.
    Bullet,
    /// Under 8 min.
    Blitz,
    /// Under 25 min.
    Rapid,
    /// Longer.
    Classical,
    /// Days per move.
    Correspondence,
}

impl TimeClass {
    /// All classes. The index in this list is the number in the store.
    pub const ALL: [TimeClass; 7] = [
        TimeClass::Unknown,
        TimeClass::UltraBullet,
        TimeClass::Bullet,
        TimeClass::Blitz,
        TimeClass::Rapid,
        TimeClass::Classical,
        TimeClass::Correspondence,
    ];

    /// The class of an estimated duration in seconds (base time + 40 increments).
    pub fn of_seconds(seconds: u64) -> TimeClass {
        match seconds {
            0..30 => TimeClass::UltraBullet,
            30..180 => TimeClass::Bullet,
            180..480 => TimeClass::Blitz,
            480..1500 => TimeClass::Rapid,
            _ => TimeClass::Classical,
        }
    }

    /// The class that an event's name mentions. Games over the board rarely have a time control.
    pub fn of_event(event: &str) -> TimeClass {
        let event = event.to_lowercase();
        let classes = [
            ("bullet", TimeClass::Bullet),
            ("blitz", TimeClass::Blitz),
            ("rapid", TimeClass::Rapid),
            ("classical", TimeClass::Classical),
            ("correspondence", TimeClass::Correspondence),
        ];
        classes
            .into_iter()
            .find(|(word, _)| event.contains(word))
            .map_or(TimeClass::Unknown, |(_, class)| class)
    }
}

impl fmt::Display for TimeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TimeClass::Unknown => "unknown",
            TimeClass::UltraBullet => "ultra-bullet",
            TimeClass::Bullet => "bullet",
            TimeClass::Blitz => "blitz",
            TimeClass::Rapid => "rapid",
            TimeClass::Classical => "classical",
            TimeClass::Correspondence => "correspondence",
        })
    }
}

/// Parses a TimeControl tag of the PGN standard: `?`, `-`, `300`, `300+2`, `40/7200:3600+30`, `*180`, `1/86400`.
/// Returns the time control, if the tag has one, and the class.
///
/// `None` if the tag is invalid.
pub fn parse(tag: &str) -> Option<(Option<TimeControl>, TimeClass)> {
    let tag = tag.trim();
    if tag.is_empty() || tag == "?" || tag == "-" {
        return Some((None, TimeClass::Unknown));
    }
    let mut first = None;
    let mut seconds = 0u64;
    for period in tag.split(':') {
        let period = period.strip_prefix('*').unwrap_or(period);
        let (moves, time) = match period.split_once('/') {
            Some((moves, time)) => (Some(number(moves)?), time),
            None => (None, period),
        };
        let (base, increment) = match time.split_once('+') {
            Some((base, increment)) => (number(base)?, number(increment)?),
            None => (number(time)?, 0),
        };
        if moves == Some(1) && base >= 43_200 {
            return Some((Some(TimeControl { base, increment: 0 }), TimeClass::Correspondence));
        }
        first.get_or_insert(TimeControl { base, increment });
        seconds += u64::from(base) + 40 * u64::from(increment);
    }
    Some((first, TimeClass::of_seconds(seconds)))
}

/// Parses a number of digits only; `parse::<u32>` alone would also accept a sign.
pub(super) fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(base: u32, increment: u32) -> Option<TimeControl> {
        Some(TimeControl { base, increment })
    }

    #[test]
    fn every_form_of_the_standard_is_read() {
        assert_eq!(parse("-"), Some((None, TimeClass::Unknown)));
        assert_eq!(parse("?"), Some((None, TimeClass::Unknown)));
        assert_eq!(parse("15+0"), Some((control(15, 0), TimeClass::UltraBullet)));
        assert_eq!(parse("60+1"), Some((control(60, 1), TimeClass::Bullet)));
        assert_eq!(parse("300"), Some((control(300, 0), TimeClass::Blitz)));
        assert_eq!(parse("600+5"), Some((control(600, 5), TimeClass::Rapid)));
        assert_eq!(parse("40/7200:20/3600:900+30"), Some((control(7200, 0), TimeClass::Classical)));
        assert_eq!(parse("*180"), Some((control(180, 0), TimeClass::Blitz)));
        assert_eq!(parse("1/259200"), Some((control(259_200, 0), TimeClass::Correspondence)));
    }

    #[test]
    fn anything_else_is_refused() {
        for tag in ["fast", "G/60", "300+", "+2", "-300", "300++2", "300+2+1", "99999999999", "5 min"] {
            assert_eq!(parse(tag), None, "{tag}");
        }
    }

    #[test]
    fn event_names_mention_blitz_and_rapid() {
        assert_eq!(TimeClass::of_event("World Blitz Championship"), TimeClass::Blitz);
        assert_eq!(TimeClass::of_event("Keres Memorial RAPID"), TimeClass::Rapid);
        assert_eq!(TimeClass::of_event("Chigorin Memorial"), TimeClass::Unknown);
    }
}
