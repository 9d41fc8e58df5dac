//! The reachability filter is sound: in a position of a game, it never rejects a constraint that the game satisfies
//! later. The bounds that it derives from differences also help the search.

use std::sync::atomic::AtomicBool;

use entente::{
    engine::Engine,
    generation::{Distance, Job, NegamaxPlan, Outcome, Plan},
    satisfaction::SatisfactionModel,
};
use entente_constraint::{Constraint, Goal, Men, Situation, Target};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use shakmaty::{Chess, Piece, Position, Role};

const GAMES: usize = 60;
const PLIES: usize = 200;

/// The men after every ply of a random game; captures and promotions are preferred, so that counts change often.
fn random_game(rng: &mut ChaCha8Rng) -> Vec<Men> {
    let mut position = Chess::default();
    let mut men = vec![Men::on(position.board())];
    for _ in 0..PLIES {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let telling: Vec<_> =
            moves.iter().filter(|m| m.is_promotion() || m.is_capture() || m.role() == Role::Pawn).collect();
        let m = if !telling.is_empty() && rng.random_ratio(1, 3) {
            *telling[rng.random_range(0..telling.len())]
        } else {
            moves[rng.random_range(0..moves.len())]
        };
        position.play_unchecked(m);
        men.push(Men::on(position.board()));
    }
    men
}

fn tuple(counts: [u8; 5]) -> String {
    counts.map(|count| count.to_string()).join(",")
}

/// A constraint that `men` satisfy, of a random shape.
fn constraint_of(men: &Men, rng: &mut ChaCha8Rng) -> String {
    let (white, black) = (format!("({})", tuple(men.white())), format!("black({})", tuple(men.black())));
    let mut piece = || Piece {
        color: shakmaty::Color::from_white(rng.random_ratio(1, 2)),
        role: [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen][rng.random_range(0..5)],
    };
    let (one, two, three) = (piece(), piece(), piece());
    let [a, b, c] = [one, two, three].map(|piece| men.count(piece) as i32);
    let [one, two, three] = [one, two, three].map(Piece::char);
    match rng.random_range(0..9) {
        0 => white,
        1 => black,
        2 => format!("{white} {black}"),
        3 => format!("{one}={a} & {two}>={b} & {three}<={c}"),
        4 => format!("{one}-{two}={} {three}={c}", a - b),
        5 => format!("!({one}!={a} | {two}<{b}) & {three}={}..{}", c - 1, c + 1),
        6 => format!("{one}-{two}>={} {two}-{three}>={} {three}-{one}={}", a - b, b - c, c - a),
        7 => format!("{one}-{two}>={} & {three}-{two}<={} & {two}>={b}", a - b, c - b + 1),
        _ => format!("({one}={} | {two}={b}) & {one}-{three}>={}", a + 20, a - c),
    }
}

#[test]
fn what_a_game_went_on_to_satisfy_was_reachable_all_along() {
    let mut rng = ChaCha8Rng::seed_from_u64(2024);
    let mut positions = 0;
    let mut promoted_men_seen = false;
    for _ in 0..GAMES {
        let game = random_game(&mut rng);
        promoted_men_seen |= game.iter().any(|men| men.white()[0] > 1 || men.black()[0] > 1);
        for (ply, earlier) in game.iter().enumerate() {
            let later = &game[rng.random_range(ply..game.len())];
            let text = constraint_of(later, &mut rng);
            let goal = Goal::new(&text.parse().expect(&text)).expect(&text);
            assert!(goal.is_satisfied_by(later), "{text} holds for {later:?}");
            assert!(goal.is_reachable_from(earlier), "{text}, satisfied by {later:?}, from {earlier:?}");
            assert_eq!(goal.impossible_from(earlier), None);
            positions += 1;
        }
    }
    assert!(positions >= 10_000, "{positions} positions are too few for a property");
    assert!(promoted_men_seen, "the games must promote, or the test shows nothing about promotions");
}

#[test]
fn differences_that_need_promotions_are_found() {
    for text in ["Q-q=4", "r-R=4", "Q-q=2 r-R=3", "B-b=3, N-n=-2", "P-p=5"] {
        let goal = Goal::new(&text.parse().expect(text)).expect(text);
        let target = Target::new(text.parse().expect(text)).expect(text);
        let job = Job::new(target, Plan::Negamax(NegamaxPlan::new(SatisfactionModel::Men)));
        let mut generator = Engine::generator(&job).unwrap();
        for index in 0..3 {
            let generation = generator.generate(index, &AtomicBool::new(false)).unwrap();
            assert_eq!(generation.outcome, Outcome::Found, "{text}, {index}");
            assert!(goal.is_satisfied(&generation.position));
        }
    }
}

/// The fenced blocks and the table's first column of the documentation are constraints of the language.
#[test]
fn the_examples_of_the_documentation_are_true() {
    let text = include_str!("../../../docs/constraints.md");
    let goal = |constraint: &str| Goal::new(&constraint.parse().expect(constraint)).expect(constraint);
    let start = Men::on(Chess::default().board());

    let examples: Vec<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` |"))
        .map(|(constraint, _)| constraint.replace("\\|", "|"))
        .collect();
    assert!(examples.len() >= 60, "{examples:?}");
    // On the first page, the constraint is in the second column.
    let (_, page) = text.split_once("| You want | You write |").unwrap();
    let rows = page.lines().skip(2).take_while(|line| !line.is_empty());
    let written = rows.map(|row| row.strip_suffix("` |").and_then(|row| row.split_once("| `")).expect(row).1);
    let wanted: Vec<String> = written.map(|text| text.replace("\\|", "|")).collect();
    assert!(wanted.len() >= 20, "{wanted:?}");
    let impossible = |text: &str| {
        let constraint: Constraint = text.parse().expect(text);
        let target = Target::new(constraint).expect(text);
        let error = Distance::of(&target, Situation::root(&Chess::default())).err();
        error.map(|error| error.to_string().trim_start_matches("impossible: ").to_owned())
    };
    for example in examples.into_iter().chain(wanted) {
        assert_eq!(impossible(&example), None, "{example}");
    }

    let (_, reachable) = text.split_once("## Reachable and impossible").unwrap();
    let blocks = reachable.split("```").skip(1).step_by(2);
    let reasons: Vec<_> = blocks.flat_map(str::lines).filter_map(|line| line.split_once("   ")).collect();
    assert!(reasons.len() >= 12, "{reasons:?}");
    for (constraint, reason) in reasons {
        assert_eq!(impossible(constraint).as_deref(), Some(reason.trim()), "{constraint}");
    }

    for (constraint, distance) in [("(1,2,1,1,7)", 3), ("Q-q=4", 4), ("Q=0 Q-q=-1", 2)] {
        assert!(text.contains(&format!("`{constraint}`")), "{constraint} is no longer in the documentation");
        assert_eq!(goal(constraint).distance_of(&start), distance, "{constraint}");
    }
}
