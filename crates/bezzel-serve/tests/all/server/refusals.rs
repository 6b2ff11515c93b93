//! The origins and kinds of requests that the server answers.

use std::time::Duration;

use bezzel_serve::Limits;

use crate::server::test_server::{TestServer, hopeless};

#[test]
fn only_the_names_of_the_server_are_answered() {
    let server = TestServer::new();
    let port = server.address.port();
    let status = |head: &str| {
        let mut client = server.client();
        let answer = client.send(&format!("GET /api/limits HTTP/1.1\r\n{head}\r\n")).unwrap();
        if answer.status != 200 {
            assert!(answer.json()["error"].is_string());
        }
        answer.status
    };
    for name in ["localhost", "127.0.0.1", "[::1]"] {
        assert_eq!(status(&format!("Host: {name}:{port}\r\n")), 200, "{name}");
    }
    for head in [
        String::new(),
        "Host: evil.example\r\n".to_owned(),
        format!("Host: evil.example:{port}\r\n"),
        "Host: localhost\r\n".to_owned(),
        format!("Host: localhost:{}\r\n", port ^ 1),
    ] {
        assert_eq!(status(&head), 403, "{head}");
    }
}

#[test]
fn only_questions_without_a_body_are_answered() {
    let server = TestServer::new();
    let host = server.address;
    let answer = |method: &str, more: &str| {
        let request = format!("{method} /api/limits HTTP/1.1\r\nHost: {host}\r\n{more}\r\n");
        server.client().send(&request).unwrap()
    };
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        let refused = answer(method, "");
        assert_eq!((refused.status, refused.text()), (405, r#"{"error":"only GET is answered"}"#));
        assert_eq!(refused.header("allow"), Some("GET,HEAD"), "{method}");
    }
    let long = "Content-Length: 10000000\r\n";
    let refused = answer("GET", long);
    let reason = r#"{"error":"a request has no body: all of it is in its address"}"#;
    assert_eq!((refused.status, refused.text()), (413, reason));
    assert!(answer("GET", &format!("{long}Accept: text/html\r\n")).text().contains("has no body"));
    assert_eq!(answer("GET", "Content-Length: 0\r\n").status, 200);
}

#[test]
fn a_head_that_is_too_long_is_not_read_to_its_end() {
    let server = TestServer::new();
    let header = format!("X-Long: {}\r\n", "x".repeat(1_000));
    let head = format!("GET / HTTP/1.1\r\nHost: {}\r\n{}", server.address, header.repeat(1_000));
    // The server may close the connection before the request is sent.
    let status = server.client().send(&head).map(|answer| answer.status);
    assert!(status.is_err() || status.is_ok_and(|status| status == 431));
    server.json("/api/limits");
}

#[test]
fn every_answer_has_the_headers_for_browsers() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<p>All reports").unwrap();
    let reports = Some(folder.path().to_owned());
    let server = TestServer::start(bezzel_serve::Options { reports, ..Default::default() });
    for address in ["/", "/board.js", "/reports/", "/api/limits", "/api/board?size=1", "/none"] {
        let answer = server.get(address);
        for (name, value) in [
            ("x-frame-options", "DENY"),
            ("x-content-type-options", "nosniff"),
            ("cache-control", "no-store"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{address}");
        }
        assert_eq!(answer.header("access-control-allow-origin"), None);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("frame-ancestors 'none'"), "{address}: {policy}");
    }
}

#[test]
fn a_browser_never_gets_json() {
    let server = TestServer::within(Limits {
        time: Duration::from_millis(60),
        ..hopeless(&Limits::default()).0
    });
    let late = hopeless(&Limits::default()).1.replace("board?", "why?square=1.1&");
    let accepts = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n";
    let (evil, own) = ("evil.example".to_owned(), server.address.to_string());
    for (address, host, status, words) in [
        ("/api/limits", &own, 200, "This address is for programs"),
        ("/api/board?size=4", &own, 200, "&quot;solutions&quot;: &quot;2&quot;"),
        ("/api/board", &own, 400, "The server answers: `size` is missing"),
        ("/api/board?size=4&queens=%3Ci%3E", &own, 400, "queens=&lt;i&gt;"),
        (late.as_str(), &own, 503, "The server is busy"),
        ("/api/limits", &evil, 403, "The server does not answer this request"),
        ("/api/none", &own, 404, "There is no page at this address"),
    ] {
        let ask = |accepts: &str| {
            let head = format!("GET {address} HTTP/1.1\r\nHost: {host}\r\n{accepts}\r\n");
            server.client().send(&head).unwrap()
        };
        let answer = ask(accepts);
        assert_eq!(answer.status, status, "{address}");
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"), "{address}");
        assert!(answer.text().contains(words), "{address}: {}", answer.text());
        // The script of the page gets JSON from the same address.
        let for_script = ask("Accept: */*\r\n");
        assert_eq!(for_script.status, status, "{address}");
        assert!(for_script.json().is_object(), "{address}");
        let retries = [answer, for_script].map(|it| it.header("retry-after") == Some("1"));
        assert_eq!(retries, [status == 503; 2], "{address}");
    }
}
