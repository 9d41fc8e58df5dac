use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use clap::{Args, ValueEnum};
use entente::{records::Format, settings::Choice as _};
use entente_render::{Paper, PerPage};
use shakmaty::Chess;

use crate::cli::{
    definitions::DefinitionsFile,
    flags::{GenerationFlags, choice},
    start::StartFlags,
    tables::TableFlags,
    words::{self, number},
};

/// The largest `--index`, far below the largest number, so that later indices cannot overflow.
const MAX_INDEX: u64 = 1 << 62;

/// The examples come before the many options.
const EXAMPLES_FIRST: &str =
    "{before-help}{about-with-newline}\n{usage-heading} {usage}{after-help}\n\n{all-args}";

/// Generate legal positions that satisfy a constraint, each with its proof game.
///
/// Results go to standard output; progress and a summary go to standard error. Ctrl-C ends the run and keeps the
/// positions found so far. The exit status is 0 if every position was found, 1 if some were not, 2 if the constraint is
/// impossible or the input is wrong, and 130 after Ctrl-C.
#[derive(Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples (--help has more, and all options):
  entente generate \"(1,2,1,1,7)\" --count 5
      White has a queen, two rooks, a bishop, a knight and seven pawns
  entente generate \"Q=0 q=0\" --elo 1800 --count 24 --output boards.html
      No queens; a page of games that players rated 1800 could have played
  entente generate \"checkmate N@f7 k@h8\" --output mate.pgn
      A mate with a knight on f7 and the king on h8", after_long_help = "\
Examples:
  entente generate \"(1,2,1,1,7)\" --count 5
      White has a queen, two rooks, a bishop, a knight and seven pawns
  entente generate \"Q=0 q=0 R-r=1\" --format fen --count 100 > positions.fen
      No queens, White a rook ahead
  entente generate \"P<=3 p<=3 (N=2 | n=2)\" --distinct --count 20 --output games.pgn
      Few pawns and a side with both knights
  entente generate \"material=KRPvKR P@6-7 turn=white\" --count 10
      Rook and pawn against rook, the pawn far advanced, White to move
  entente generate \"material=KRPvKR\" --elo 1500 --count 12 --output endings.pdf
      Rook endings to print and solve, with solutions on separate pages
  entente generate \"Q=0 q=0\" --count 24 --format study --output chapters.pgn
      Study chapters, each with a position and its solution; --format anki makes flash cards
  entente generate \"[BN]=1 [bn]=1 [QRqr]=0 P=3 p=3 check=none\" --count 10 --format epd
      An endgame with one minor piece on each side
  entente generate \"checkmate N@f7 k@h8\"
      A mate with a knight on f7 and the king on h8
  entente generate \"castling=KQkq Q=0 q=0\"
      No queens, and both sides may still castle both ways
  entente generate \"(Q-q=1 turn=black) | mirror(Q-q=1 turn=black)\"
      One side is a queen ahead, and the other side is to move
  entente generate \"fen=r1bq1rk1/pp3ppp/2n1pn2/2bp4/8/2N1PN2/PPQ1BPPP/R1B2RK1\" --movetime 60000
      A proof game for this diagram
  entente generate \"k@e4 check=black ply<=30\" --from \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"
      From another position, within 30 plies
  entente generate \"(0,2,2,2,7)\" --faithful --depth 2 --network thesis-2 --seed 7
      The published algorithm")]
pub(crate) struct Arguments {
    /// The constraint, in quotes, such as "(1,2,1,1,7)" or "N@f5 check=black"; see docs/constraints.md
    #[arg(value_parser = words::constraint)]
    pub(super) constraint: String,
    #[command(flatten)]
    pub(super) definitions: DefinitionsFile,
    /// How many positions to generate
    #[arg(long, short = 'n', display_order = 1, default_value_t = 1, value_parser = number::<u64>(1..=u64::MAX))]
    pub(super) count: u64,
    /// Generate only positions that differ in the placement of their men. Worksheets, studies and cards do so unless
    /// this is "--distinct=false"
    #[arg(long, display_order = 2, num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_name = "true|false", value_parser = clap::value_parser!(bool))]
    pub(super) distinct: Option<bool>,
    /// True for exercises by name: as sheets are made, in any format.
    #[arg(skip)]
    is_practice: bool,
    #[command(flatten)]
    start: StartFlags,
    /// Start with the position that has this index in a run with the same --seed, counted from 0; EPD and JSON lines
    /// contain the index
    #[arg(long, default_value_t = 0, requires = "seed", hide_default_value = true, hide_short_help = true, display_order = 9,
        value_parser = number::<u64>(0..=MAX_INDEX))]
    pub(super) index: u64,
    /// The format of the results [default: by the extension of --output, or else text]
    #[arg(long, display_order = 5, value_parser = choice::<Format>())]
    format: Option<Format>,
    /// Write the results to this file instead of standard output, completely or not at all
    ///
    /// The extension .pgn, .fen, .epd, .jsonl, .html, .txt, .pdf (worksheet) or .tsv (anki) selects the format.
    ///
    /// The file appears, or replaces an older one, when the run ends. If you press Ctrl-C, it holds the positions found
    /// so far. If there are none, or if you press Ctrl-C twice, an older file stays as it is. Pipes and devices get
    /// each result as soon as it is found; "-" is standard output.
    #[arg(long, value_name = "FILE", display_order = 6)]
    pub(super) output: Option<PathBuf>,
    /// The heading of a worksheet [default: the constraint]
    #[arg(long, value_name = "TEXT", display_order = 11, hide_short_help = true)]
    title: Option<String>,
    /// The number of boards on each page of a worksheet [default: 6]
    #[arg(long, value_name = "BOARDS", display_order = 12, hide_short_help = true)]
    per_page: Option<Boards>,
    /// The paper size of a worksheet [default: A4 for PDF, the browser's setting for HTML]
    #[arg(long, display_order = 13, hide_short_help = true, ignore_case = true)]
    paper: Option<PaperSize>,
    /// Leave out the games that lead to the positions; only for worksheets, studies and cards
    #[arg(long, display_order = 14, hide_short_help = true)]
    pub(in crate::cli) no_games: bool,
    #[command(flatten)]
    pub(in crate::cli) tables: TableFlags,
    /// Add to the summary: how many positions were found at the first attempt, how surprising the moves are, and the
    /// shares of moves played under the tilt (see --tilt) and by search
    #[arg(long, short, display_order = 10, hide_short_help = true)]
    pub(super) verbose: bool,
    #[command(flatten)]
    pub(super) flags: GenerationFlags,
}

impl Arguments {
    /// The arguments for a book of `count` lines, which end in different positions.
    pub(in crate::cli) fn of_book(
        constraint: String,
        count: u64,
        start: Option<u32>,
        (format, output): (Format, Option<PathBuf>),
        flags: GenerationFlags,
    ) -> Arguments {
        Arguments {
            start: StartFlags::of_number(start),
            distinct: Some(true),
            format: Some(format),
            output,
            ..Arguments::new(constraint, count, flags)
        }
    }

    /// The arguments for `count` exercises with a heading, on different boards, from games as people play them.
    pub(in crate::cli) fn of_exercises(
        constraint: String,
        title: String,
        count: u64,
        (format, output): (Option<Format>, Option<PathBuf>),
        flags: GenerationFlags,
    ) -> Arguments {
        let mut arguments = Arguments {
            distinct: Some(true),
            is_practice: true,
            format,
            output,
            ..Arguments::new(constraint, count, flags)
        };
        if arguments.format().is_ok_and(|format| format == Format::Worksheet) {
            arguments.title = Some(title);
        }
        arguments
    }

    /// The arguments for `count` positions, in the text format on standard output.
    fn new(constraint: String, count: u64, flags: GenerationFlags) -> Arguments {
        Arguments {
            constraint,
            definitions: DefinitionsFile::default(),
            count,
            distinct: None,
            is_practice: false,
            start: StartFlags::default(),
            index: 0,
            format: None,
            output: None,
            title: None,
            per_page: None,
            paper: None,
            no_games: false,
            tables: TableFlags::default(),
            verbose: false,
            flags,
        }
    }

    /// The position in which the games begin.
    ///
    /// # Errors
    /// If --from is not the FEN of a legal position.
    pub(super) fn root(&self) -> anyhow::Result<Chess> {
        self.start.root()
    }

    /// True if the positions are made for practice, no matter in which format.
    pub(super) fn is_for_practice(&self, format: Format) -> bool {
        self.is_practice || format.is_for_practice()
    }

    /// The format given by --format or by the extension of the output file.
    ///
    /// # Errors
    /// If the two contradict each other, or the extension is unknown.
    pub(super) fn format(&self) -> anyhow::Result<Format> {
        let by_extension = self.output.as_deref().and_then(Format::of_ending);
        let other = self.output.as_deref().and_then(Path::extension).filter(|_| by_extension.is_none());
        if let (None, Some(extension)) = (self.format, other) {
            let known: Vec<String> =
                Format::usual_extensions().iter().map(|extension| format!(".{extension}")).collect();
            bail!(
                "--output: expected the extension {}, or --format, found '.{}'",
                known.join(", "),
                extension.display()
            );
        }
        if let (Some(format), Some(other), Some(path)) = (self.format, by_extension, &self.output) {
            ensure!(
                format.may_end(path),
                "--output {}: the extension means the format {}, but --format is {}",
                path.display(),
                other.word(),
                format.word()
            );
        }
        Ok(self.format.or(by_extension).unwrap_or(Format::Text))
    }

    /// The layout of a worksheet.
    ///
    /// # Errors
    /// If an option for worksheets is given with another format.
    pub(super) fn layout(&self, format: Format) -> anyhow::Result<Layout> {
        let flags = [
            ("title", self.title.is_some()),
            ("per-page", self.per_page.is_some()),
            ("paper", self.paper.is_some()),
        ];
        if let Some((flag, _)) = flags.iter().find(|(_, is_given)| *is_given && format != Format::Worksheet) {
            bail!("--{flag}: only the format worksheet uses it, but the format is {}", format.word());
        }
        ensure!(
            !self.no_games || format.is_for_practice(),
            "--no-games: only the formats worksheet, study and anki use it, but the format is {}",
            format.word()
        );
        let extension = self.output.as_deref().and_then(Path::extension);
        Ok(Layout {
            // The title must be one line.
            title: self.title.as_ref().map(|title| title.replace(char::is_control, " ")),
            per_page: match self.per_page {
                Some(Boards::Twelve) => PerPage::Twelve,
                Some(Boards::Six) | None => PerPage::Six,
            },
            paper: self.paper.map(|paper| match paper {
                PaperSize::A4 => Paper::A4,
                PaperSize::Letter => Paper::Letter,
            }),
            has_games: !self.no_games,
            is_pdf: format == Format::Worksheet
                && extension.is_some_and(|extension| extension.eq_ignore_ascii_case("pdf")),
        })
    }
}

/// The layout of a worksheet.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The heading; `None`: the constraint.
    pub title: Option<String>,
    /// The number of boards per page.
    pub per_page: PerPage,
    /// The paper, if it is given.
    pub paper: Option<Paper>,
    /// Whether the solutions are followed by the games.
    pub has_games: bool,
    /// True for a PDF, false for HTML.
    pub is_pdf: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Boards {
    #[value(name = "6")]
    Six,
    #[value(name = "12")]
    Twelve,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PaperSize {
    /// 210 × 297 mm
    A4,
    /// 8.5 × 11 inches
    Letter,
}
