//! Policies, from games to a report on how human their own games look.

mod support;

use std::{fs, sync::atomic::AtomicBool};

use entente_cli::tournament::{Folder, Journal, Manifest, Plan, Schedule, Shard, run};
use support::{fail, folder_with_games, succeed};

const RECIPE: &str = r#"
kind = "policy"
network = "goal-policy"
positions = 640
batch = 64
learning_rate = 1e-3
warm_up = 64
decay = 128
averaging = 0.9
validate_every = 640
optimizer = "muon"
seed = 1

[tower]
channels = 8
blocks = 1
condition = 8
squeeze = 4
"#;
const ONLINE: &str = "[Site \"https://lichess.org/abcdefgh\"]\n[TimeControl \"300+0\"]\n";

#[test]
fn a_policy_is_trained_interrupted_exported_measured_and_trained_on() {
    let folder = folder_with_games(200, RECIPE, ONLINE);
    let train = |output: &'static str| {
        vec!["train", "recipe.toml", "-s", "games.store", "-o", output, "--threads", "1"]
    };
    assert_eq!(succeed(&folder, &train("run")).trim(), "run/goal-policy.onnx");
    let read = |name: &str| fs::read(folder.path().join(name)).expect(name);
    let card = String::from_utf8(read("run/goal-policy.md")).unwrap();
    for part in ["640 positions", "Muon", "| plain online |", "optimizer = \"muon\""] {
        assert!(card.contains(part), "{part} in {card}");
    }
    assert!(!card.contains("initial weights"));
    let metrics = String::from_utf8(read("run/metrics.csv")).unwrap();
    assert_eq!(metrics.lines().count(), 2);

    // A run that is stopped immediately and resumed gives the same network.
    succeed(&folder, &[train("again"), vec!["--max-minutes", "0"]].concat());
    assert!(fail(&folder, &train("again")).contains("--resume"));
    succeed(&folder, &[train("again"), vec!["--resume"]].concat());
    assert_eq!(read("again/goal-policy.onnx"), read("run/goal-policy.onnx"));

    // Another run begins where this one ended, and is also measured on the games of another store.
    let start = vec!["--start", "run/goal-policy.onnx", "--compare", "games.store"];
    succeed(&folder, &[train("further"), start.clone()].concat());
    let card = String::from_utf8(read("further/goal-policy.md")).unwrap();
    assert!(card.contains("| initial weights | `goal-policy.onnx`, SHA-256 `"), "{card}");
    assert_ne!(read("further/goal-policy.onnx"), read("run/goal-policy.onnx"));
    let metrics = String::from_utf8(read("further/metrics.csv")).unwrap();
    let column = |name: &str, line: &str| {
        let place = metrics.lines().next().unwrap().split(',').position(|column| column == name);
        line.split(',').nth(place.expect(name)).unwrap().to_owned()
    };
    let last = metrics.lines().last().unwrap();
    assert_eq!(column("compared_online_top_1", last), column("online_top_1", last), "the same store");
    let wider = RECIPE.replace("channels = 8", "channels = 12");
    fs::write(folder.path().join("recipe.toml"), wider).unwrap();
    let error = fail(&folder, &[train("wider"), start].concat());
    assert!(error.contains("run/goal-policy.onnx") && error.contains("expected [12, "), "{error}");

    fs::write(folder.path().join("recipe.toml"), RECIPE).unwrap();
    let start = ["--start", "run/goal-policy.onnx"];
    let error = fail(&folder, &[train("two"), [start, start].concat()].concat());
    assert!(error.contains("--start: expected one file, or networks of Leela Chess Zero"), "{error}");
    let error = fail(&folder, &[train("run"), vec!["--resume"], start.to_vec()].concat());
    assert!(
        error.contains("the checkpoint began with random weights, not with `goal-policy.onnx`"),
        "{error}"
    );
    let recipe = RECIPE.replace("optimizer = \"muon\"", "optimizer = \"adam\"\ncopied_rate = 0.1");
    fs::write(folder.path().join("recipe.toml"), recipe).unwrap();
    let error = fail(&folder, &[train("copied"), start.to_vec()].concat());
    assert!(error.contains("`copied_rate` of the recipe requires networks of Leela Chess Zero"), "{error}");
    let error = fail(&folder, &train("copied"));
    assert!(error.contains("`copied_rate` of the recipe: requires --start"), "{error}");

    let ladder =
        succeed(&folder, &["ladder", "run/goal-policy.onnx", "1200", "1500", "1800", "--games", "4"]);
    let lines: Vec<&str> = ladder.lines().collect();
    assert_eq!(lines.len(), 2, "{ladder}");
    assert!(lines[0].starts_with("1500 against 1200: +") && lines[1].starts_with("1800 against 1500: +"));

    let table = succeed(&folder, &["evaluate", "run/goal-policy.onnx", "games.store"]);
    assert!(table.contains("| plain online |"), "{table}");
}

const PLAN: &str = r#"
games = 30
max-plies = 60
constraints = ["N<=1", "Q=0", "P=8"]

[[entrants]]
name = "fast 1500"
network = "goal-policy"
realism = "fast"
elo = 1500
nodes = 2000

[[entrants]]
name = "fast 1800"
realism = "fast"
elo = 1800
nodes = 2000

[[entrants]]
name = "material"
method = "negamax"
evaluator = "material"
"#;

#[test]
fn a_policy_learns_from_a_teacher() {
    let taught = format!("{RECIPE}\n[teacher]\nnetwork = \"goal-policy\"\nshare = 0.5\n");
    let folder = folder_with_games(200, &taught, ONLINE);
    let train =
        |output: &'static str| ["train", "recipe.toml", "-s", "games.store", "-o", output, "--threads", "1"];
    succeed(&folder, &train("taught"));
    let path = |name: &str| folder.path().join(name);
    let card = fs::read_to_string(path("taught/goal-policy.md")).unwrap();
    assert!(card.contains("[teacher]"), "{card}");
    fs::write(path("recipe.toml"), RECIPE).unwrap();
    succeed(&folder, &train("untaught"));
    // The card and the network contain the recipe, so compare figures, which depend only on the weights.
    let cross_entropy = |run: &str| {
        let metrics = fs::read_to_string(path(run).join("metrics.csv")).unwrap();
        let columns: Vec<_> =
            metrics.lines().map(|line| line.split(',').nth(1).unwrap().to_owned()).collect();
        assert_eq!(columns[0], "train_policy");
        columns[1].clone()
    };
    assert_ne!(cross_entropy("taught"), cross_entropy("untaught"));
    let transformer = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/transformer.onnx");
    for (teacher, share, message) in [
        ("goal-policy", "2.0", "`share` from 0 to 1"),
        ("no-such-network", "0.5", "no-such-network"),
        (transformer, "0.5", "goals"),
    ] {
        let recipe = format!("{RECIPE}\n[teacher]\nnetwork = \"{teacher}\"\nshare = {share}\n");
        fs::write(path("recipe.toml"), recipe).unwrap();
        let error = fail(&folder, &train("other"));
        assert!(error.contains("teacher") && error.contains(message), "{error}");
    }
}

#[test]
fn generated_games_are_compared_with_human_ones() {
    let recipe = RECIPE
        .replace("goal-policy", "reference-policy")
        .replace("seed = 1", "games = \"reference\"\nseed = 1");
    let folder = folder_with_games(1500, &recipe, ONLINE);
    succeed(&folder, &["train", "recipe.toml", "-s", "games.store", "-o", "judge"]);

    let path = |name: &str| folder.path().join(name);
    fs::write(path("plan.toml"), PLAN).unwrap();
    let (plan, pairings) = Plan::read(&path("plan.toml")).unwrap();
    let manifest = Manifest::new(plan, Shard { number: 1, of: 1 });
    let games = Folder::new(&path("games"));
    let lock = games.enter(&manifest, false).unwrap();
    let (mut journal, _) = Journal::open(&games, &manifest).unwrap();
    let schedule: Schedule = manifest.schedule();
    run(schedule, &pairings, &mut journal, 2, &AtomicBool::new(false), |_| ()).unwrap();
    drop((journal, lock));

    let realism = [
        "realism",
        "games",
        "-s",
        "games.store",
        "-j",
        "judge/reference-policy.onnx",
        "--judge",
        "goal-policy",
        "-o",
        "report",
        "--least",
        "20",
        "--nodes",
        "1000",
        "--loss-games",
        "4",
    ];
    assert_eq!(succeed(&folder, &realism).trim(), "report/realism.md");
    let report = fs::read_to_string(path("report/realism.md")).unwrap();
    let (tables, losses) = report.split_once("## Games").unwrap();
    let (tables, of_judges) = tables.split_once("## Judges").unwrap();
    let [rows, judged] = [tables, of_judges].map(|tables| -> Vec<Vec<&str>> {
        let lines = tables.lines().filter(|line| line.starts_with("| ") && !line.contains("| who |"));
        lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
    });
    let of =
        |first: &str| -> Vec<&str> { rows.iter().filter(|row| row[0] == first).map(|row| row[1]).collect() };
    // All human games are rated 1500, so there is nothing to compare at 1800.
    assert_eq!(of("1500"), ["people", "fast", "people", "material"], "{report}");
    assert!(of("1800").is_empty());
    assert_eq!(of("Q=0"), ["people", "fast", "people", "material"], "{report}");
    // The initial position has eight pawns, so no human game counts for it.
    assert!(of("P=8").is_empty());
    assert!(rows.iter().any(|row| row[1] == "fast" && row[10] != "–"), "an AUC: {report}");
    // Four games on each side have losses, which are too few to classify.
    assert!(rows.iter().all(|row| row.len() == 12 && row[11] == "–"), "{report}");
    // Each judge has its own figures of the same games.
    let of_judge = |judge: &str| -> Vec<&[&str]> {
        judged.iter().filter(|row| row[1] == judge).map(|row| &row[2..]).collect()
    };
    let [first, second] = ["reference-policy", "goal-policy"].map(of_judge);
    assert_eq!(first.iter().map(|row| row[0]).collect::<Vec<_>>(), ["people", "fast", "people", "material"]);
    assert!(first.iter().zip(&second).all(|(first, second)| first[..2] == second[..2]), "{report}");
    assert_ne!(first, second);
    assert_eq!(first[1][1..7], rows[1][2..8], "the first judge is that of the other tables");
    assert!(report.contains("- goal-policy, own kind: "), "{report}");
    assert!(report.contains(" it is no stranger to them: fast.\n"), "{report}");
    let positions = fs::read_to_string(path("report/positions.csv")).unwrap();
    let lines = rows.iter().map(|row| row[2].parse::<usize>().unwrap()).sum::<usize>();
    assert_eq!(positions.lines().count(), lines + 1);
    let columns =
        "of,method,side,game,weight,plies,rare,surprise_from_0,surprise_from_10,surprise_from_30,fen\n";
    assert!(positions.starts_with(columns), "{positions}");
    let games = fs::read_to_string(path("report/games.csv")).unwrap();
    assert!(
        games.starts_with("rating,method,side,constraint,game,weight,plies,reference-policy surprise,"),
        "{games}"
    );
    let by_rating = rows[..4].iter().map(|row| row[2].parse::<usize>().unwrap()).sum::<usize>();
    assert_eq!(games.lines().count(), by_rating + 1);
    assert!(fs::read_to_string(path("report/realism.svg")).unwrap().contains("</svg>"));
    // Without an engine, Entente's own search evaluates the positions.
    assert!(losses.contains("Entente's alpha-beta search evaluated each position"), "{losses}");
    assert!(losses.contains("| 1500 | people | 4 | ") && losses.contains("| 1500 | fast | 4 | "), "{losses}");
    let plies = fs::read_to_string(path("report/losses.csv")).unwrap();
    assert!(
        plies.starts_with("game,side,method,rating,constraint,weight,ply,before,after,loss\n"),
        "{plies}"
    );
    assert!(fs::read_to_string(path("report/losses.svg")).unwrap().contains("</svg>"));

    // Without losses, whole games are classified, too.
    succeed(
        &folder,
        &realism.map(|word| match word {
            "4" => "0",
            "report" => "again",
            _ => word,
        }),
    );
    let again = fs::read_to_string(path("again/realism.md")).unwrap();
    let line = again.lines().find(|line| line.starts_with("| 1500 | fast | ")).unwrap();
    let auc = line.split('|').nth(12).unwrap().trim();
    assert!(auc.starts_with("0.9") || auc.starts_with("1.0"), "random games are recognised: {again}");

    // The policy also learns from its own games.
    fs::write(path("recipe.toml"), RECIPE).unwrap();
    let train = |own: &'static str| ["train", "recipe.toml", "-s", "games.store", "-o", "own", "--own", own];
    succeed(&folder, &train("games"));
    let card = fs::read_to_string(path("own/goal-policy.md")).unwrap();
    assert!(card.contains("| own games | 20% of the games from which samples are drawn, out of "), "{card}");
    assert!(fail(&folder, &[&train("report")[..], &["--resume"]].concat()).contains("report: no tournament"));

    let error = fail(&folder, &[&realism[..], &["--engine", "no/such/engine"]].concat());
    assert!(error.contains("--engine no/such/engine: cannot be started"), "{error}");
    let nowhere = realism.map(|word| if word == "games" { "judge" } else { word });
    assert!(fail(&folder, &nowhere).contains("judge: no tournament"));
    let another = realism.map(|word| if word.starts_with("judge/") { "games/tournament.json" } else { word });
    let error = fail(&folder, &another);
    assert!(error.contains("--judge games/tournament.json: "), "{error}");
}
