use std::time::Instant;

use axum::{
    body::{Body, to_bytes},
    http::header::HOST,
};
use serde_json::json;
use tokio::time::timeout;
use tower::ServiceExt as _;

use super::*;
use crate::{
    body::{MOST_BYTES, SENDING},
    server::MOST_WAITING,
};

fn service(server: Server) -> Router {
    app(server, Guard { address: "127.0.0.1:4000".parse().unwrap(), token: None })
}

fn request(method: &str, path: &str, body: impl Into<Body>) -> axum::http::request::Request<Body> {
    Request::builder()
        .method(method)
        .uri(path)
        .header(HOST, "127.0.0.1:4000")
        .header(CONTENT_TYPE, "application/json")
        .body(body.into())
        .unwrap()
}

/// The status and the body of the answer to a request.
async fn ask(server: &Server, request: axum::http::request::Request<Body>) -> (u16, Vec<u8>) {
    let response = service(server.clone()).oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    (status, to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec())
}

/// The status and the JSON of the answer to a call.
async fn call(name: &str, arguments: &Value) -> (u16, Value) {
    let request = request("POST", &format!("/api/{name}"), arguments.to_string());
    let (status, body) = ask(&Server::new(), request).await;
    (status, serde_json::from_slice(&body).unwrap())
}

#[tokio::test]
async fn calls_answer_in_json() {
    let (status, answer) = call("check", &json!({ "constraint": "Q=0 N@f5" })).await;
    assert_eq!((status, answer["parts"][1]["squares"].clone()), (200, json!(["f5"])));
    let (status, answer) = call("check", &json!({ "constraint": "(1,2,1,1,9)" })).await;
    assert_eq!((status, &answer["is_proved_impossible"]), (200, &json!(true)));
    let (status, answer) = call("play", &json!({ "moves": ["f2f3", "e7e5", "g2g4", "d8h4"] })).await;
    assert_eq!((status, &answer["result"], &answer["reason"]), (200, &json!("0-1"), &json!("checkmate")));
    let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 31";
    let (status, answer) = call("solve", &json!({ "fen": mate })).await;
    assert_eq!((status, &answer["line"], &answer["moves"]), (200, &json!("31. Ra8#"), &json!(["a1a8"])));
    let (status, answer) = call("prove", &json!({ "diagram": "8/8/8/8/8/8/8/KK1k4" })).await;
    assert_eq!((status, &answer["outcome"]), (200, &json!("illegal")));
}

#[tokio::test]
async fn what_is_wrong_is_named_with_its_place() {
    for (name, arguments, status, argument, part) in [
        ("check", json!({ "constraint": "Q=" }), 400, json!("constraint"), "constraint, column 3: "),
        ("check", json!({}), 400, json!("constraint"), "expected a text, found nothing"),
        ("check", json!({ "other": 1 }), 400, json!("other"), "no such argument"),
        ("check", json!([1]), 400, Value::Null, "expected an object"),
        ("generate", json!({ "constraint": "Q=0", "count": 101 }), 400, json!("count"), "expected 1 to 100"),
        ("generate", json!({ "constraint": "(1,2,1,1,9)" }), 422, Value::Null, "impossible: "),
        ("play", json!({ "moves": ["e2e5"] }), 400, json!("moves"), "expected a legal move of White"),
        ("solve", json!({ "fen": "8/8" }), 400, json!("fen"), "expected the FEN of a legal position"),
        ("nothing", json!({}), 404, Value::Null, "no such call"),
        ("export", json!({ "format": "exe", "positions": [] }), 400, Value::Null, "unknown variant"),
        ("export", json!({ "format": "pgn", "positions": [] }), 400, json!("positions"), "expected 1 to 500"),
    ] {
        let (found, answer) = call(name, &arguments).await;
        assert_eq!((found, &answer["argument"]), (status, &argument), "{name} {arguments}: {answer}");
        assert!(answer["error"].as_str().unwrap().contains(part), "{answer}");
    }
}

#[tokio::test]
async fn nothing_but_the_page_and_its_interface_is_served() {
    let server = Server::new();
    for (method, path, expected) in [
        ("GET", "/", 200),
        ("HEAD", "/app.js", 200),
        ("GET", "/api/vocabulary", 200),
        ("GET", "/api/openapi.json", 200),
        ("GET", "/Cargo.toml", 404),
        ("GET", "/../Cargo.toml", 404),
        ("GET", "/%2e%2e/%2e%2e/etc/passwd", 404),
        ("GET", "//etc/passwd", 404),
        ("GET", "/api/", 404),
        ("GET", "/api/check", 405),
        ("POST", "/", 405),
        ("DELETE", "/api/vocabulary", 405),
    ] {
        assert_eq!(ask(&server, request(method, path, Body::empty())).await.0, expected, "{method} {path}");
    }
}

#[tokio::test]
async fn requests_are_small_json() {
    let server = Server::new();
    let large = vec![b'x'; MOST_BYTES + 1];
    assert_eq!(ask(&server, request("POST", "/api/check", large)).await.0, 413);
    assert_eq!(ask(&server, request("POST", "/api/check", "{\"constraint\"")).await.0, 400);
    assert_eq!(ask(&server, request("POST", "/api/check", &b"\xff\xfe"[..])).await.0, 400);
    assert_eq!(ask(&server, request("POST", "/api/check", "[".repeat(100_000))).await.0, 400);
    for media_type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        let mut request = request("POST", "/api/check", "{\"constraint\":\"Q=0\"}");
        request.headers_mut().insert(CONTENT_TYPE, media_type.parse().unwrap());
        assert_eq!(ask(&server, request).await.0, 415, "{media_type}");
    }
}

#[tokio::test]
async fn positions_are_streamed_and_written_to_files() {
    let server = Server::new();
    let arguments = json!({ "constraint": "Q=0 q=0", "count": 2, "seed": 7, "realism": "fast" });
    let mut asked = request("POST", "/api/generate", arguments.to_string());
    asked.headers_mut().insert(ACCEPT, "text/event-stream".parse().unwrap());
    let (status, body) = ask(&server, asked).await;
    let text = String::from_utf8(body).unwrap();
    let events: Vec<(&str, Value)> = text
        .split("\n\n")
        .filter_map(|event| event.trim().strip_prefix("event: ")?.split_once("\ndata: "))
        .map(|(name, data)| (name, serde_json::from_str(data).unwrap()))
        .collect();
    let of =
        |name: &'static str| events.iter().filter(move |(other, _)| *other == name).map(|(_, data)| data);
    assert_eq!((status, of("started").count(), of("position").count()), (200, 1, 2), "{text}");
    assert_eq!(events.last().map(|(name, data)| (*name, &data["found"])), Some(("answer", &json!(2))));

    let positions: Vec<Value> = of("position")
        .map(|found| json!({ "root": found["root"], "moves": found["moves"], "constraint": found["constraint"] }))
        .collect();
    for (format, begins) in [
        ("pgn", "[Event \"Entente proof game\"]"),
        ("study", "[Event \"1 · "),
        ("html", "<!DOCTYPE html>"),
        ("anki", "#separator:tab"),
    ] {
        let asked = json!({ "format": format, "positions": positions, "title": "</title><script>" });
        let (status, body) = ask(&server, request("POST", "/api/export", asked.to_string())).await;
        let text = String::from_utf8(body).unwrap();
        assert!(status == 200 && text.starts_with(begins) && !text.contains("<script>"), "{format}: {text}");
    }
    let asked = json!({ "format": "fen", "positions": positions });
    let (_, body) = ask(&server, request("POST", "/api/export", asked.to_string())).await;
    let fens: Vec<&str> = of("position").map(|found| found["fen"].as_str().unwrap()).collect();
    assert_eq!(String::from_utf8(body).unwrap().lines().collect::<Vec<_>>(), fens);
}

#[tokio::test]
async fn streams_of_other_calls_end_with_their_answer() {
    let server = Server::new();
    let arguments = json!({ "positions": [fen_of_start()], "moves": 3 });
    let mut asked = request("POST", "/api/policy", arguments.to_string());
    asked.headers_mut().insert(ACCEPT, "text/event-stream".parse().unwrap());
    let (_, body) = ask(&server, asked).await;
    let text = String::from_utf8(body).unwrap();
    let last = text.trim().rsplit("data: ").next().unwrap();
    let answer: Value = serde_json::from_str(last).unwrap();
    assert_eq!(answer["positions"].as_array().unwrap().len(), 1, "{text}");
    // An image is no event.
    let mut asked =
        request("POST", "/api/draw", json!({ "fen": fen_of_start(), "format": "svg" }).to_string());
    asked.headers_mut().insert(ACCEPT, "text/event-stream".parse().unwrap());
    let (status, body) = ask(&server, asked).await;
    assert!(status == 200 && body.starts_with(b"<svg"));
}

fn fen_of_start() -> &'static str {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
}

#[tokio::test]
async fn abandoned_calls_count_until_their_work_ends() {
    let server = Server::new();
    let cores = server.free_permits();
    let asked = request("POST", "/api/solve", json!({ "fen": fen_of_start() }).to_string());
    let call = tokio::spawn(service(server.clone()).oneshot(asked));
    while server.free_permits() == cores {
        tokio::task::yield_now().await;
    }
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    assert_eq!(server.free_permits(), cores - 1);
    while server.free_permits() < cores {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn exports_are_checked() {
    let position = |change: Value| {
        let mut position = json!({ "moves": ["e2e4"] });
        position.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        json!({ "format": "pgn", "positions": [position] })
    };
    for (change, argument) in [
        (json!({ "white_elo": 0 }), "white_elo"),
        (json!({ "black_elo": 4001 }), "black_elo"),
        (json!({ "moves": ["e2e5"] }), "moves"),
        (json!({ "moves": vec!["g1f3"; 1201] }), "moves"),
        (json!({ "root": "8/8" }), "root"),
        (json!({ "constraint": "</script>" }), "constraint"),
    ] {
        let (status, answer) = call("export", &position(change.clone())).await;
        assert_eq!((status, answer["argument"].as_str()), (400, Some(argument)), "{change}: {answer}");
    }
}

/// A call that would run for minutes, and the head of its answer.
async fn long_call(server: &Server, tab: &str) -> Response {
    let arguments = json!({ "constraint": "theme=boden puzzle>=2500", "count": 100, "seconds": 600 });
    let mut asked = request("POST", "/api/generate", arguments.to_string());
    asked.headers_mut().insert(ACCEPT, "text/event-stream".parse().unwrap());
    asked.headers_mut().insert("x-tab", tab.parse().unwrap());
    service(server.clone()).oneshot(asked).await.unwrap()
}

#[tokio::test]
async fn a_call_ends_when_no_one_waits_and_others_move_up() {
    use futures_util::StreamExt as _;

    let server = Server::new();
    let mut calls = Vec::new();
    for tab in ["a", "b", "c"] {
        let mut body = long_call(&server, tab).await.into_body().into_data_stream();
        let first = body.next().await.unwrap().unwrap();
        calls.push((body, String::from_utf8(first.to_vec()).unwrap()));
    }
    assert!(calls[2].1.starts_with("event: waiting\ndata: {\"ahead\":0}"), "{}", calls[2].1);
    assert!(!calls[0].1.starts_with("event: waiting") && !calls[1].1.starts_with("event: waiting"));
    // The client of the first call goes.
    let (mut last, begun) = (calls.pop().unwrap().0, Instant::now());
    drop(calls.remove(0));
    let next = String::from_utf8(last.next().await.unwrap().unwrap().to_vec()).unwrap();
    assert!(next.starts_with("event: started"), "{next}");
    assert!(begun.elapsed() < SENDING, "{:?}", begun.elapsed());
    drop((last, calls));
    // All places are free again, as soon as the work has ended.
    let mut place = server.line.join("d").unwrap();
    timeout(SENDING, place.turn()).await.unwrap();
}

#[tokio::test]
async fn more_calls_than_may_wait_are_told_to_come_again() {
    let server = Server::new();
    let mut places: Vec<_> = (0..200).filter_map(|number| server.line.join(&number.to_string())).collect();
    places.extend((200..300).filter_map(|number| server.line.join(&number.to_string())));
    let asked = request("POST", "/api/prove", json!({ "diagram": "8/8/8/8/8/8/8/KK1k4" }).to_string());
    let (status, body) = ask(&server, asked).await;
    assert_eq!((status, places.len()), (503, 2 + MOST_WAITING), "{}", String::from_utf8_lossy(&body));
}
