//! Published results, and games of a tournament that are generated separately.

use std::fs;

use super::{PLAN, WorkFolder, assert_played, assert_refused};

#[test]
fn published_results_are_the_same_after_a_resume() {
    let plan =
        "games = 1\nconstraints = \"(1,2,2,2,7)\"\npublished = \"p.csv\"\n[[entrants]]\nname = \"a\"\n";
    let header = "constraint,games,satisfied,unique,mean_steps,median_steps,pdr_1,pdr_2,pdr_3,pdr_4";
    let place = WorkFolder::new(plan);
    let publish = |row: &str| fs::write(place.path("p.csv"), format!("\u{feff}{header}\n{row}\n")).unwrap();
    publish("\"(1,2,2,2,7)\",300,99.33333333333333,98.66666666666667,9.1,9,0.1,,,");
    assert_played(&place.play("run", &[]));
    assert_played(&place.play("run", &["--resume"]));
    for (row, message) in [
        ("\"(1,2,2,2,7)\",300,99,98,NaN,9,,,,", "p.csv:2: (1,2,2,2,7): expected steps"),
        ("\"(1,2,2,2,7)\",300,101,98,9,9,,,,", "p.csv:2: (1,2,2,2,7): expected shares of 0 to 100 percent"),
        ("\"(1,2,2,2,7)\",0,99,98,9,9,,,,", "p.csv:2: (1,2,2,2,7): expected shares"),
        ("\"(1,2,2,2,7)\",300,99,98,9,9,-1,,,", "p.csv:2: (1,2,2,2,7): expected shares"),
        ("\"(1,2,2,2,7)\",300", "p.csv:2: expected 10 columns, found 2"),
        ("\"(1,2\",300,99,98,9,9,,,,", "p.csv:2: constraint \"(1,2\": constraint, column 5"),
        ("Q=1,3,9,9,9,9,,,,\nQ=1,3,9,9,9,9,,,,", "p.csv:3: Q=1 occurs twice"),
    ] {
        publish(row);
        assert_refused(&place.play("new", &[]), message);
        assert!(!place.path("new").exists());
    }
}

#[test]
fn every_game_can_be_generated_separately() {
    let place = WorkFolder::new(PLAN);
    assert_played(&place.play("whole", &[]));
    let text = place.read("whole", "results.jsonl");
    let report = place.read("whole", "report.html");
    for line in text.lines().step_by(13) {
        let mut game: serde_json::Value = serde_json::from_str(line).unwrap();
        let object = game.as_object_mut().unwrap();
        object.remove("crc32");
        let (seed, index) = (object["seed"].to_string(), object["index"].to_string());
        let constraint = object["constraint"].as_str().unwrap().to_owned();
        let options: &[&str] = match object.remove("entrant").unwrap().as_str().unwrap() {
            "auto" => &["--nodes", "20000", "--evaluator", "men"],
            _ => &["--method", "best-first"],
        };
        let word = if constraint.starts_with("N@") || constraint.starts_with('(') || constraint.contains(' ')
        {
            format!("'{constraint}'")
        } else {
            constraint.clone()
        };
        let command =
            format!("entente generate {word} {} --seed {seed} --index {index}\"", options.join(" "));
        assert!(report.contains(&command), "{command}");
        let fixed = ["generate", &constraint, "--seed", &seed, "--index", &index, "--format", "jsonl"];
        let output = place.entente(&[&fixed[..], options].concat());
        let mut alone: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        alone.as_object_mut().unwrap().remove("seconds");
        assert_eq!(alone, game);
    }
}
