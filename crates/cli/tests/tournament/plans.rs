//! Wrong plans, and the plans in `tournaments/`.

use std::{fs, path::Path};

use entente_cli::tournament::Plan;

use super::{PLAN, WorkFolder, assert_refused, names, system::no_file};

#[test]
fn errors_in_a_plan_name_the_line_and_nothing_is_created() {
    let entrant = "[[entrants]]\nname = \"a\"\n";
    let plan = |middle: &str, entrants: &str| format!("games = 2\nconstraints = \"Q=0\"\n{middle}{entrants}");
    let cases: &[(String, &str)] = &[
        (
            plan("", "[[entrants]]\nname = \"a\"\nmethod = \"magic\"\n"),
            "plan.toml:5: entrant \"a\": method: expected one of auto",
        ),
        (
            plan("", "[[entrants]]\nname = \"a\"\nnetwork = \"missing.onnx\"\n"),
            &format!("plan.toml:5: entrant \"a\": network: missing.onnx: {}", no_file()),
        ),
        (plan("", entrant).replace("games = 2", "games = 0"), "plan.toml:1: games: expected at least 1"),
        (plan("", entrant).replace("games = 2", "games = -1"), "plan.toml:1: games: invalid value"),
        (
            plan("", entrant).replace("games = 2", "games = 900000000"),
            "plan.toml:1: games: expected a total of at most 100000000",
        ),
        (plan("", entrant).replace("games = 2\n", ""), "plan.toml:1: missing field `games`"),
        (plan("", &entrant.repeat(2)), "plan.toml:6: entrants name: \"a\" occurs twice"),
        (
            plan("", entrant).replace("Q=0", "P=9"),
            "plan.toml:2: constraints: P=9: impossible: White needs at least 9 pawns",
        ),
        (
            "games = 2\nconstraints = [\n  \"Q=0\",\n  \"k@c3 P@b2 P@d2\",\n]\n".to_owned() + entrant,
            "plan.toml:4: constraints: k@c3 & P@b2 & P@d2: impossible: Black's men cannot all reach",
        ),
        (plan("", entrant).replace("Q=0", "Q=="), "plan.toml:2: constraints: \"Q==\": constraint, column 3"),
        (
            plan("", entrant).replace("\"Q=0\"", "[\"thesis-7\", \"(1,2,2,2,7)\"]"),
            "plan.toml:2: constraints: (1,2,2,2,7) occurs twice",
        ),
        (
            plan("", entrant).replace("constraints = \"Q=0\"\n", ""),
            "plan.toml:1: constraints: expected constraints, the name of a set",
        ),
        (plan("", entrant).replace("\"Q=0\"", "[]"), "plan.toml:2: constraints: expected constraints"),
        (plan("gmaes = 3\n", entrant), "plan.toml:3: gmaes: unknown field `gmaes`"),
        (plan("from = \"8/8 w\"\n", entrant), "plan.toml:3: from: expected the FEN of a legal position"),
        (plan("max-plies = 0\n", entrant), "plan.toml:3: max-plies: expected 1 to 1000, found \"0\""),
        (
            plan("max-plies = 9\n", entrant).replace("Q=0", "Q=0 ply>=12"),
            "plan.toml:2: constraints: the constraint needs at least 12 plies",
        ),
        (
            plan("published = \"none.csv\"\n", entrant),
            &format!("plan.toml:3: published: none.csv: {}", no_file()),
        ),
        (
            plan("constraints-file = \"none.txt\"\n", entrant),
            &format!("plan.toml:3: constraints-file: none.txt: {}", no_file()),
        ),
        (plan("constraints-file = \"bad.txt\"\n", entrant), "bad.txt:3: \"N@f9\": constraint, column"),
        (plan("published = \"bad.csv\"\n", entrant), "bad.csv:2: "),
        (plan("entrants = []\n", ""), "plan.toml:3: entrants: expected at least one"),
        (
            plan("", &format!("{entrant}depth = 9\n")),
            "plan.toml:5: entrant \"a\": depth: expected 1 to 8, found \"9\"",
        ),
        (
            plan("", &format!("{entrant}depth = \"2\"\n")),
            "plan.toml:5: entrant \"a\": depth: expected 1 to 8, found the string \"2\"",
        ),
        (
            plan("", &format!("{entrant}network = 3\n")),
            "plan.toml:5: entrant \"a\": network: expected a text, found 3",
        ),
        (
            plan("", &format!("{entrant}criterion = 1.5\n")),
            "plan.toml:5: entrant \"a\": criterion: expected 0 to 1",
        ),
        (
            plan("", &format!("{entrant}nodes = 0\n")),
            "plan.toml:5: entrant \"a\": nodes: expected at least 1",
        ),
        (
            plan("", &format!("{entrant}method = \"negamax\"\nelo = 1500\n")),
            "plan.toml:6: entrant \"a\": elo: only the methods goal-policy and puct use it",
        ),
        (
            plan("", &format!("{entrant}evaluator = \"network\"\n")),
            "plan.toml:5: entrant \"a\": evaluator: network thesis-2 reads only exact counts of White",
        ),
        (
            plan("", &format!("{entrant}method = \"best-first\"\ndepth = 2\n")),
            "plan.toml:6: entrant \"a\": depth: only the method negamax uses it",
        ),
        (
            plan("", &format!("{entrant}method = \"negamax\"\n")).replace("Q=0", "N@f3"),
            "plan.toml:5: entrant \"a\": method negamax: it is led by numbers of men alone, and 'N@f3' says more",
        ),
        (plan("", "[[entrants]]\nname = \"\"\n"), "plan.toml:4: entrants name: expected up to 60 letters"),
        ("games = ".to_owned(), "plan.toml:1: "),
        ("\u{0}".to_owned(), "plan.toml:1: "),
    ];
    for (text, message) in cases {
        let place = WorkFolder::new(text);
        fs::write(place.path("bad.txt"), "# a comment\nQ=0 q=0\nN@f9\n").unwrap();
        fs::write(place.path("bad.csv"), "constraint,games\n\"(1,2,2,2,7)\",many\n").unwrap();
        assert_refused(&place.play("run", &[]), message);
        assert_eq!(place.names(), ["bad.csv", "bad.txt", "plan.toml"], "{text}");
    }
    let place = WorkFolder::new(PLAN);
    assert_refused(
        &place.entente(&["tournament", "missing.toml", "--output", "run"]),
        &format!("missing.toml: {}", no_file()),
    );
    assert_refused(&place.play("run", &["--shard", "3/2"]), "expected I/N with I from 1 to N");
    assert_eq!(place.names(), ["plan.toml"]);
}

#[test]
fn every_plan_in_the_repository_is_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tournaments");
    let plans: Vec<String> = names(&folder).into_iter().filter(|name| name.ends_with(".toml")).collect();
    assert!(plans.len() >= 4, "{plans:?}");
    for plan in plans {
        entente_cli::tournament::Plan::read(&folder.join(&plan)).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn the_ablations_have_the_same_entrants() {
    let entrants = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tournaments").join(name);
        Plan::read(&path).unwrap().0.entrants
    };
    let mut random = entrants("ablation-random.toml");
    random.splice(1..1, entrants("ablation-random-natural.toml"));
    assert_eq!(entrants("ablation.toml"), random);
}
