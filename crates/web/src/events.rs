//! A call as a stream of server-sent events, so that results show as they are found.
//!
//! | Event | Data |
//! |---|---|
//! | `waiting` | `ahead`: how many calls are before this one |
//! | `progress` | `done`, `total`, `message`, `seconds`; at least every second |
//! | names of parts, such as `position` | a part of the answer that is there already |
//! | `answer` | the answer; the last event |
//! | `failed` | `error`, and perhaps `argument` and `column`; the last event |

use std::{convert::Infallible, time::Duration};

use axum::response::{
    IntoResponse, Response,
    sse::{Event, KeepAlive, Sse},
};
use entente_tools::{Answer, Arguments, Failure, Report, Running, Shared, Step, Tool};
use futures_util::stream;
use serde_json::{Value, json};

use crate::queue::Place;

/// The most time without a sign of life.
const SILENCE: Duration = Duration::from_secs(15);

/// Streams a call that waits for its turn first.
pub(crate) fn stream(tool: &'static Tool, arguments: Arguments, shared: Shared, place: Place) -> Response {
    let stage = Stage::Waiting(Box::new(Waiting { tool, arguments, shared, place, told: None }));
    let events = stream::unfold(stage, |stage| async {
        let (event, stage) = stage.next().await?;
        Some((Ok::<Event, Infallible>(event), stage))
    });
    // A call that waits is silent until it moves up, and proxies end connections that are silent.
    Sse::new(events).keep_alive(KeepAlive::new().interval(SILENCE)).into_response()
}

/// How far a call is.
enum Stage {
    Waiting(Box<Waiting>),
    Running(Box<Begun>),
    Ended,
}

struct Waiting {
    tool: &'static Tool,
    arguments: Arguments,
    shared: Shared,
    place: Place,
    /// The number of calls before this one that the client knows.
    told: Option<usize>,
}

struct Begun {
    tool: &'static Tool,
    running: Running,
    /// The last report of progress.
    progress: Value,
}

impl Stage {
    /// The next event, and the stage after it; `None` at the end.
    async fn next(self) -> Option<(Event, Stage)> {
        let mut begun = match self {
            Stage::Ended => return None,
            Stage::Running(begun) => begun,
            Stage::Waiting(mut waiting) => loop {
                match waiting.place.ahead() {
                    None => break waiting.begin(),
                    Some(ahead) if waiting.told != Some(ahead) => {
                        waiting.told = Some(ahead);
                        let event = event("waiting", &json!({ "ahead": ahead }));
                        return Some((event, Stage::Waiting(waiting)));
                    }
                    Some(_) => waiting.place.changed().await,
                }
            },
        };
        let event = match begun.running.next().await {
            Step::Report(Report::Part(name, value)) => event(name, &value),
            Step::Report(Report::Progress { done, total, message }) => {
                begun.progress = json!({ "done": done, "total": total, "message": message });
                begun.progress()
            }
            Step::Tick => begun.progress(),
            Step::Done(result) => return Some((begun.end(result), Stage::Ended)),
        };
        Some((event, Stage::Running(begun)))
    }
}

impl Waiting {
    fn begin(self) -> Box<Begun> {
        let running = Running::start(self.tool, self.arguments, self.shared, self.place);
        let progress = json!({ "done": 0, "total": null, "message": "" });
        Box::new(Begun { tool: self.tool, running, progress })
    }
}

impl Begun {
    fn progress(&self) -> Event {
        let mut progress = self.progress.clone();
        progress["seconds"] = self.running.seconds().into();
        event("progress", &progress)
    }

    fn end(&self, result: Result<Answer, Failure>) -> Event {
        match result {
            Ok(mut answer) => {
                if let (Some(reported), Some(object)) = (self.tool.reported, answer.value.as_object_mut()) {
                    // Its elements have been streamed.
                    object.remove(reported);
                }
                answer.value["seconds"] = self.running.seconds().into();
                event("answer", &answer.value)
            }
            Err(failure) => event("failed", &failure.into_refusal().json()),
        }
    }
}

/// JSON has no line breaks, which would end an event.
fn event(name: &str, value: &Value) -> Event {
    Event::default().event(name).data(value.to_string())
}
