use std::{
    fmt::{self, Display, Formatter},
    time::Duration,
};

use entente_search::{Score, rate};
use shakmaty::uci::UciMove;

/// The numbers of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Info {
    /// The depth of the search, or the length of the proof game, in plies.
    pub depth: u32,
    /// The depth of the longest line searched, in plies.
    pub selective_depth: Option<u32>,
    /// The number of the line, from 1.
    pub multipv: Option<u32>,
    /// The score of the line.
    pub score: Score,
    /// The probabilities of a win, a draw and a loss, in thousandths; they add up to 1000.
    pub wdl: Option<[u32; 3]>,
    /// Nodes searched.
    pub nodes: u64,
    /// The fill level of the transposition table, in thousandths.
    pub hashfull: Option<u32>,
    /// How many positions were looked up in tables of endings.
    pub table_hits: u64,
    /// The time since the search began.
    pub time: Duration,
    /// The principal variation, which may be empty.
    pub pv: Vec<UciMove>,
}

impl Info {
    /// The numbers if there was no search.
    pub(crate) fn nothing() -> Info {
        Info {
            depth: 0,
            selective_depth: None,
            multipv: None,
            score: Score::Centipawns(0),
            wdl: None,
            nodes: 0,
            hashfull: None,
            table_hits: 0,
            time: Duration::ZERO,
            pv: Vec::new(),
        }
    }
}

impl Display for Info {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "info depth {}", self.depth)?;
        self.selective_depth.iter().try_for_each(|depth| write!(f, " seldepth {depth}"))?;
        self.multipv.iter().try_for_each(|number| write!(f, " multipv {number}"))?;
        match self.score {
            Score::Centipawns(score) => write!(f, " score cp {score}")?,
            Score::Mate(moves) => write!(f, " score mate {moves}")?,
        }
        self.wdl.iter().try_for_each(|[win, draw, loss]| write!(f, " wdl {win} {draw} {loss}"))?;
        write!(f, " nodes {} nps {}", self.nodes, rate(self.nodes, self.time))?;
        self.hashfull.iter().try_for_each(|full| write!(f, " hashfull {full}"))?;
        if self.table_hits > 0 {
            write!(f, " tbhits {}", self.table_hits)?;
        }
        write!(f, " time {}", self.time.as_millis())?;
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
        }
        self.pv.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_line_has_no_pv() {
        let info = Info { score: Score::Mate(-1), ..Info::nothing() };
        assert_eq!(info.to_string(), "info depth 0 score mate -1 nodes 0 nps 0 time 0");
    }

    #[test]
    fn a_search_reports_all_its_numbers() {
        let info = Info {
            depth: 7,
            selective_depth: Some(15),
            multipv: Some(2),
            score: Score::Centipawns(-31),
            wdl: Some([200, 450, 350]),
            nodes: 5000,
            hashfull: Some(12),
            table_hits: 3,
            time: Duration::from_millis(10),
            pv: vec!["e2e4".parse().unwrap()],
        };
        assert_eq!(
            info.to_string(),
            "info depth 7 seldepth 15 multipv 2 score cp -31 wdl 200 450 350 nodes 5000 nps 500000 hashfull 12 \
             tbhits 3 time 10 pv e2e4"
        );
    }
}
