//! The files of the page, which are part of the program.

use std::sync::Arc;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;

use super::shared::Shared;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// A list of the files of the page: address, kind and content of each.
macro_rules! parts {
    ($($address:literal $kind:ident $file:literal;)*) => {
        &[$(($address, $kind, include_str!(concat!("../../page/", $file)))),*]
    };
}

const PARTS: &[(&str, &str, &str)] = parts! {
    "/" HTML "index.html";
    "/board.css" CSS "board.css";
    "/page.css" CSS "page.css";
    "/api.js" SCRIPT "api.js";
    "/board.js" SCRIPT "board.js";
    "/compare.js" SCRIPT "compare.js";
    "/draw.js" SCRIPT "draw.js";
    "/encodings.js" SCRIPT "encodings.js";
    "/grid.js" SCRIPT "grid.js";
    "/hand.js" SCRIPT "hand.js";
    "/lines.js" SCRIPT "lines.js";
    "/link.js" SCRIPT "link.js";
    "/problems" HTML "problems.html";
    "/problems.css" CSS "problems.css";
    "/problems.js" SCRIPT "problems.js";
    "/propagation.js" SCRIPT "propagation.js";
    "/session.js" SCRIPT "session.js";
    "/share.js" SCRIPT "share.js";
    "/solutions.js" SCRIPT "solutions.js";
    "/squares.js" SCRIPT "squares.js";
    "/theme.js" SCRIPT "theme.js";
    "/why.js" SCRIPT "why.js";
    "/words.js" SCRIPT "words.js";
};

/// Returns the routes of the page.
pub(super) fn routes() -> Router<Arc<Shared>> {
    PARTS.iter().fold(Router::new(), |router, &(address, kind, text)| {
        router.route(address, get(move || async move { ([(CONTENT_TYPE, kind)], text) }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::Limits;

    #[test]
    fn links_have_the_largest_size_of_the_server() {
        let max = Limits::default().sides.max;
        let stated = format!("const MAX_SIZE = {max};");
        assert!(include_str!("../../page/link.js").contains(&stated));
    }

    #[test]
    fn the_page_is_all_there_small_and_loads_nothing_from_elsewhere() {
        let mut size = 0;
        for (address, kind, text) in PARTS {
            assert!(!text.is_empty(), "{address}");
            size += text.len();
            // A module that is imported must be one that is sent.
            for line in text.lines().filter(|line| line.starts_with("import ")) {
                let (_, module) = line.rsplit_once("\"./").unwrap();
                let name = format!("/{}", module.trim_end_matches("\";"));
                let is_sent = PARTS.iter().any(|(address, ..)| *address == name);
                assert!(is_sent, "{address}: {line}");
            }
            let is_page = *kind == HTML;
            for way in ["src=\"http", "href=\"http", "src=\"//", "@import", "url(http"] {
                assert!(!text.contains(way), "{address} has {way}");
            }
            // The policy forbids inline styles.
            assert!(
                !is_page || (!text.contains(" style=") && !text.contains("<style")),
                "{address}"
            );
            assert!(!is_page || !text.contains(" onclick="), "{address}");
        }
        assert!(size < 150_000, "{size} bytes");
    }
}
