//! Refuses what does not come from the user's own page.
//!
//! Any page that the user visits can send requests to a server on the same machine. A page cannot choose the header
//! `Host` (so a name that an attacker lets resolve to 127.0.0.1 is told from ours), cannot remove `Origin` and
//! `Sec-Fetch-Site`, and cannot post JSON to another site without asking first, which is never answered. Servers that
//! other machines can reach also ask for a token.

use std::{net::SocketAddr, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{
        HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
        header::{
            AUTHORIZATION, CONTENT_SECURITY_POLICY, COOKIE, HOST, LOCATION, ORIGIN, REFERRER_POLICY,
            SET_COOKIE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
        },
    },
    middleware::Next,
    response::{IntoResponse, Response},
};
use sha2::{Digest as _, Sha256};

use crate::reply;

/// The cookie with the token.
const COOKIE_NAME: &str = "entente-token";

/// Where the server listens, and its token if it has one.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    pub address: SocketAddr,
    pub token: Option<String>,
}

/// What the page may do: run its own script, and draw with its own styles and embedded images.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Passes good requests on, and adds the headers that protect the page.
pub(crate) async fn guard(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match guard.refuse(&request) {
        Some(refused) => refused,
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

impl Guard {
    fn refuse(&self, request: &Request) -> Option<Response> {
        let headers = request.headers();
        // An absolute address in the request line has precedence over the header.
        let host = match request.uri().authority() {
            Some(authority) => authority.as_str(),
            None => text(headers, &HOST).unwrap_or_default(),
        };
        if let Some(token) = &self.token {
            let query = request.uri().query().unwrap_or_default();
            if let Some(given) = query.split('&').find_map(|pair| pair.strip_prefix("token=")) {
                return Some(welcome(token, given));
            }
            if !is_known(headers, token) {
                return Some(reply::error(
                    StatusCode::UNAUTHORIZED,
                    "expected the token: open the whole address that 'entente serve' has printed",
                ));
            }
        } else if !self.is_own_host(host) {
            let reason = format!("host {host:?}: expected the address that 'entente serve' has printed");
            return Some(reply::error(StatusCode::MISDIRECTED_REQUEST, reason));
        }
        let is_foreign = text(headers, &ORIGIN).is_some_and(|origin| !self.is_same_site(origin, host));
        let site = text(headers, &HeaderName::from_static("sec-fetch-site"));
        let is_cross = site.is_some_and(|site| !matches!(site, "same-origin" | "none"));
        // Links of other sites may lead to the page, which only shows what the link says.
        let is_page = request.method() == Method::GET && request.uri().path() == "/";
        if !is_page && (is_foreign || is_cross) {
            return Some(reply::error(StatusCode::FORBIDDEN, "requests of other sites are refused"));
        }
        None
    }

    /// True if a page of `origin` came from `host`. A server for other machines may stand behind one that encrypts.
    fn is_same_site(&self, origin: &str, host: &str) -> bool {
        let encrypted = origin.strip_prefix("https://").filter(|_| self.token.is_some());
        origin.strip_prefix("http://").or(encrypted) == Some(host)
    }

    /// True for the names of this machine at the port of the server, which browsers leave out if it is the usual one.
    fn is_own_host(&self, host: &str) -> bool {
        let port = self.address.port();
        ["127.0.0.1", "localhost", "[::1]"].iter().any(|name| {
            host.eq_ignore_ascii_case(&format!("{name}:{port}"))
                || (port == 80 && host.eq_ignore_ascii_case(name))
        })
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

/// Keeps the token in a cookie, and leads to the page without it, so that it does not stay in the address. Links of other
/// sites may lead here, so the cookie goes with them; what they post is refused all the same.
fn welcome(token: &str, given: &str) -> Response {
    if !is_same(token, given) {
        return reply::error(StatusCode::UNAUTHORIZED, "the token is wrong");
    }
    let cookie = format!("{COOKIE_NAME}={token}; HttpOnly; SameSite=Lax; Path=/");
    let headers = [(SET_COOKIE, cookie), (LOCATION, "/".to_owned())];
    (StatusCode::SEE_OTHER, headers).into_response()
}

fn is_known(headers: &HeaderMap, token: &str) -> bool {
    let cookies = text(headers, &COOKIE).unwrap_or_default().split(';');
    let cookie =
        cookies.filter_map(|pair| pair.trim().split_once('=')).find(|(name, _)| *name == COOKIE_NAME);
    let bearer = text(headers, &AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    cookie.map(|(_, value)| value).or(bearer).is_some_and(|given| is_same(token, given))
}

/// Compares digests, so that the time of the comparison tells nothing about the token.
fn is_same(token: &str, given: &str) -> bool {
    Sha256::digest(token) == Sha256::digest(given)
}

#[cfg(test)]
mod tests {
    use axum::{Router, body::Body, middleware, routing::any};
    use tower::ServiceExt as _;

    use super::*;

    /// The status of a request with these headers.
    async fn status(token: Option<&str>, method: &str, path: &str, headers: &[(&str, &str)]) -> u16 {
        let address = "127.0.0.1:4000".parse().unwrap();
        let state = Arc::new(Guard { address, token: token.map(str::to_owned) });
        let app = Router::new()
            .fallback(any(|| async { "served" }))
            .layer(middleware::from_fn_with_state(state, guard));
        let request =
            headers.iter().fold(Request::builder().method(method).uri(path), |request, (name, value)| {
                request.header(*name, *value)
            });
        app.oneshot(request.body(Body::empty()).unwrap()).await.unwrap().status().as_u16()
    }

    #[tokio::test]
    async fn only_requests_of_the_page_itself_are_served() {
        let own = ("host", "127.0.0.1:4000");
        for (method, path, headers, expected) in [
            ("GET", "/", &[own][..], 200),
            ("GET", "/", &[("host", "localhost:4000")], 200),
            ("GET", "/", &[("host", "[::1]:4000")], 200),
            (
                "POST",
                "/api/check",
                &[own, ("origin", "http://127.0.0.1:4000"), ("sec-fetch-site", "same-origin")],
                200,
            ),
            // A link of another site leads to the page.
            ("GET", "/", &[own, ("sec-fetch-site", "cross-site")], 200),
            // DNS rebinding, other ports, and other sites.
            ("GET", "/", &[("host", "evil.example:4000")], 421),
            ("GET", "http://evil.example/", &[own], 421),
            ("GET", "/", &[("host", "127.0.0.1")], 421),
            ("GET", "/", &[], 421),
            ("POST", "/api/check", &[own, ("origin", "http://evil.example")], 403),
            ("POST", "/api/check", &[own, ("origin", "null")], 403),
            ("POST", "/api/check", &[own, ("origin", "http://127.0.0.1:5000")], 403),
            ("GET", "/api/vocabulary", &[own, ("sec-fetch-site", "cross-site")], 403),
            ("GET", "/app.js", &[own, ("sec-fetch-site", "same-site")], 403),
        ] {
            assert_eq!(status(None, method, path, headers).await, expected, "{method} {path} {headers:?}");
        }
    }

    #[tokio::test]
    async fn a_token_is_asked_for_and_kept_in_a_cookie() {
        for (path, headers, expected) in [
            ("/", &[("host", "any.example")][..], 401),
            ("/?token=wrong", &[], 401),
            ("/?token=right", &[], 303),
            ("/", &[("cookie", "a=b; entente-token=right")], 200),
            ("/", &[("cookie", "entente-token=wrong")], 401),
            ("/api/check", &[("authorization", "Bearer right")], 200),
        ] {
            assert_eq!(status(Some("right"), "GET", path, headers).await, expected, "{path} {headers:?}");
        }
        // Behind a server that encrypts, and from another site.
        let cookie = ("cookie", "entente-token=right");
        for (origin, expected) in [("https://class.example", 200), ("https://evil.example", 403)] {
            let headers = [("host", "class.example"), cookie, ("origin", origin)];
            assert_eq!(status(Some("right"), "POST", "/api/check", &headers).await, expected, "{origin}");
        }
    }
}
