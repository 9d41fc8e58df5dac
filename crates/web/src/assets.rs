//! The files of the page, which the program contains.

use axum::{
    http::header::{CACHE_CONTROL, CONTENT_TYPE},
    response::{IntoResponse, Response},
};

/// A file of the page.
struct Asset {
    path: &'static str,
    media_type: &'static str,
    bytes: &'static [u8],
}

/// All files. No other file of the machine can be asked for.
const ASSETS: [Asset; 4] = [
    Asset { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("../dist/index.html") },
    Asset {
        path: "/app.js",
        media_type: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../dist/app.js"),
    },
    Asset {
        path: "/app.css",
        media_type: "text/css; charset=utf-8",
        bytes: include_bytes!("../dist/app.css"),
    },
    Asset { path: "/favicon.svg", media_type: "image/svg+xml", bytes: include_bytes!("../dist/favicon.svg") },
];

/// The file with this path, if there is one.
pub(crate) fn asset(path: &str) -> Option<Response> {
    let asset = ASSETS.iter().find(|asset| asset.path == path)?;
    // The next version of the program may be at the same address.
    let headers = [(CONTENT_TYPE, asset.media_type), (CACHE_CONTROL, "no-cache")];
    Some((headers, asset.bytes).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small_and_fetches_nothing() {
        let bytes: usize = ASSETS.iter().map(|asset| asset.bytes.len()).sum();
        assert!(bytes < 300_000, "{bytes}");
        for asset in ASSETS {
            let text = String::from_utf8_lossy(asset.bytes);
            for outside in ["src=\"http", "href=\"http", "url(http", "@import", "//# sourceMappingURL"] {
                assert!(!text.contains(outside), "{}: {outside}", asset.path);
            }
        }
        let index = String::from_utf8_lossy(ASSETS[0].bytes);
        assert!(!index.contains("<script>") && !index.contains(" style=") && !index.contains(" onclick="));
    }
}
