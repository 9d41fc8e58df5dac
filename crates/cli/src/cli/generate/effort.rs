//! How positions for practice are generated.

use entente::{engine::Engine, generation::Request, settings::Method};

/// The request, made strict if no method was asked for: exercises are from games as people play them, unless the
/// settings lead to a method that plays no such games.
pub(super) fn for_practice(request: Request) -> Request {
    let mut strict = request.clone();
    strict.settings.strict = true;
    let plays = |request: &Request| Engine::default().job(request).ok().map(|job| job.method());
    let is_open = request.settings.method.is_none();
    if is_open && plays(&strict) == Some(Method::GoalPolicy) && plays(&request) == Some(Method::GoalPolicy) {
        strict
    } else {
        request
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(constraint: &str, method: Option<Method>) -> Request {
        let mut request = Request::of(constraint).unwrap();
        (request.settings.method, request.settings.seed) = (method, Some(1));
        request
    }

    #[test]
    fn exercises_are_strict_unless_another_method_plays() {
        assert!(for_practice(request("Q=0", None)).settings.strict);
        assert!(!for_practice(request("Q=0", Some(Method::Negamax))).settings.strict);
        let diagram = "fen=rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
        assert!(!for_practice(request(diagram, None)).settings.strict, "best-first searches for diagrams");
    }
}
