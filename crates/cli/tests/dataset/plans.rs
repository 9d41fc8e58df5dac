//! Wrong plans, and the plans in `datasets/`.

use std::{fs, path::Path};

use super::{WorkFolder, assert_refused, system::no_file};

#[test]
fn errors_in_a_plan_name_the_line_and_nothing_is_created() {
    let plan = |more: &str| format!("[dataset]\npositions = 2\nconstraints = \"Q=0\"\n{more}\n");
    let cases: &[(String, &str)] = &[
        (plan("").replace("positions = 2\n", ""), "plan.toml:1: missing field `positions`"),
        (plan("").replace("positions = 2", "positions = 0"), "plan.toml:2: positions: expected at least 1"),
        (
            plan("").replace("positions = 2", "positions = \"2\""),
            "plan.toml:2: positions: invalid type: string",
        ),
        (plan("").replace("positions = 2", "positions = -2"), "plan.toml:2: positions: invalid value"),
        (
            plan("").replace("positions = 2", "positions = 900000000"),
            "plan.toml:2: positions: expected a total of at most 100000000, found 900000000",
        ),
        (plan("").replace("[dataset]", "[data]"), "plan.toml:1: unknown field `data`, expected `dataset`"),
        (
            plan("").replace("[dataset]\n", ""),
            "plan.toml:2: constraints: unknown field `constraints`, expected `dataset`",
        ),
        (plan("position = 3"), "plan.toml:4: position: unknown field, expected name, positions, seed"),
        (plan("name = \"a|b\""), "plan.toml:4: name: expected up to 60 letters"),
        (
            plan("").replace("Q=0", "P=9"),
            "plan.toml:3: constraints: P=9: impossible: White needs at least 9 pawns",
        ),
        (plan("").replace("Q=0", "Q=="), "plan.toml:3: constraints: \"Q==\": constraint, column 3"),
        (
            plan("").replace("\"Q=0\"", "[\n\"Q=0 q=0\",\n\"q=0 Q=0\",\n\"Q=0 & q=0\"]"),
            "plan.toml:6: constraints: Q=0 & q=0 occurs twice",
        ),
        (
            plan("").replace("\"Q=0\"", "[]"),
            "plan.toml:3: constraints: expected constraints, the name of a set",
        ),
        (plan("").replace("\"Q=0\"", "7"), "plan.toml:3: constraints: invalid type: integer `7`"),
        (plan("constraints-file = \"bad.txt\""), "bad.txt:2: \"N@f9\": constraint, column"),
        (plan("ratings = []"), "plan.toml:4: ratings: expected at least one rating"),
        (plan("ratings = [\n1500,\n9000]"), "plan.toml:6: ratings: expected 1 to 4000, found \"9000\""),
        (plan("ratings = [\"1500\"]"), "plan.toml:4: ratings: expected 1 to 4000, found the string \"1500\""),
        (plan("ratings = [1500,\n1500]"), "plan.toml:5: ratings: 1500 occurs twice"),
        (plan("ratings = [1500]\nelo = 1500"), "plan.toml:5: elo: not allowed with ratings"),
        (plan("ratings = [1500]\nmethod = \"best-first\""), "plan.toml:4: elo: only the methods"),
        (plan("realism = \"very\""), "plan.toml:4: realism: expected one of"),
        (plan("realism = 3"), "plan.toml:4: realism: expected one of"),
        (plan("method = \"best-first\"\ndepth = 3"), "plan.toml:5: depth: only the method negamax uses it"),
        (plan("movetime = 100"), "plan.toml:4: movetime: with it the positions would depend on the speed"),
        (plan("network = \"none.onnx\""), &format!("plan.toml:4: network: none.onnx: {}", no_file())),
        (plan("from = \"8/8 w\""), "plan.toml:4: from: expected the FEN of a legal position"),
        (plan("max-plies = 0"), "plan.toml:4: max-plies: expected 1 to 1000"),
        (
            plan("max-plies = 9").replace("Q=0", "Q=0 ply>=12"),
            "plan.toml:3: constraints: the constraint needs at least 12 plies, but max-plies is 9",
        ),
        ("[dataset".to_owned(), "plan.toml:1: "),
    ];
    for (text, message) in cases {
        let place = WorkFolder::new(text);
        fs::write(place.path("bad.txt"), "q=0\nN@f9\n").unwrap();
        assert_refused(&place.generate("run", &[]), message);
        assert!(!place.path("run").exists(), "{text}");
    }
    let place = WorkFolder::new(&plan(""));
    assert_refused(&place.generate("run", &["--shard", "3/2"]), "expected I/N with I from 1 to N");
    assert_refused(&place.generate("run", &["--shard", "3/3"]), "--shard 3/3: this shard has no candidates");
    assert_refused(
        &place.entente(&["dataset", "missing.toml", "--output", "run"]),
        &format!("missing.toml: {}", no_file()),
    );
}

#[test]
fn every_plan_in_the_repository_is_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets");
    let plans: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!plans.is_empty());
    for plan in plans {
        let (plan, pairings) =
            entente_cli::dataset::read_plan(&plan).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pairings.len() as u64, plan.pairings());
    }
}
