//! The origins and kinds of requests that the server answers.

use crate::server::test_server::TestServer;

#[test]
fn only_its_own_names_are_answered() {
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
        let origin = format!("Host: {name}:{port}\r\nOrigin: http://localhost:{port}\r\n");
        assert_eq!(status(&origin), 200, "{name}");
    }
    let own = format!("Host: localhost:{port}\r\n");
    for head in [
        String::new(),
        "Host: evil.example\r\n".to_owned(),
        format!("Host: evil.example:{port}\r\n"),
        "Host: localhost\r\n".to_owned(),
        format!("Host: localhost:{}\r\n", port ^ 1),
        format!("{own}Host: evil.example\r\n"),
        format!("{own}Origin: null\r\n"),
        format!("{own}Origin: https://evil.example\r\n"),
        format!("{own}Origin: http://localhost:{}\r\n", port ^ 1),
        format!("{own}Sec-Fetch-Site: cross-site\r\n"),
        format!("{own}Sec-Fetch-Site: same-site\r\n"),
        format!("{own}Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"),
    ] {
        assert_eq!(status(&head), 403, "{head}");
    }
}

#[test]
fn a_link_from_elsewhere_opens_the_page_and_nothing_else_from_there_is_answered() {
    let server = TestServer::new();
    let host = server.address;
    let status = |address: &str, site: &str, mode: &str| {
        let request = format!(
            "GET {address} HTTP/1.1\r\nHost: {host}\r\nSec-Fetch-Site: {site}\r\n\
             Sec-Fetch-Mode: {mode}\r\n\r\n"
        );
        server.client().send(&request).unwrap().status
    };
    for site in ["cross-site", "same-site"] {
        assert_eq!(status("/", site, "navigate"), 200);
        assert_eq!(status("/reports/", site, "navigate"), 404, "there is none here");
        for mode in ["no-cors", "cors", "same-origin", "websocket"] {
            for address in ["/", "/board.js", "/reports/", "/api/limits"] {
                assert_eq!(status(address, site, mode), 403, "{address}: {site}, {mode}");
            }
        }
    }
    for (site, mode) in [("none", "navigate"), ("same-origin", "cors"), ("same-origin", "no-cors")]
    {
        assert_eq!(status("/api/limits", site, mode), 200, "{site}, {mode}");
        assert_eq!(status("/board.js", site, mode), 200, "{site}, {mode}");
    }
}

#[test]
fn a_host_in_the_address_counts_as_well() {
    let server = TestServer::new();
    let port = server.address.port();
    let status = |host: &str| {
        let request =
            format!("GET http://{host}/api/limits HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n");
        server.client().send(&request).unwrap().status
    };
    assert_eq!(status(&format!("localhost:{port}")), 200);
    assert_eq!(status(&format!("evil.example:{port}")), 403);
}

#[test]
fn nothing_is_taken_but_questions_without_a_body() {
    let server = TestServer::new();
    let host = server.address;
    let answer = |method: &str, more: &str| {
        let request = format!("{method} /api/limits HTTP/1.1\r\nHost: {host}\r\n{more}\r\n");
        server.client().send(&request).unwrap()
    };
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        assert_eq!(answer(method, "").status, 405, "{method}");
    }
    // A form on any page can send this without a preflight request.
    let form = "Content-Type: text/plain\r\nContent-Length: 0\r\nOrigin: https://evil.example\r\n";
    assert_eq!(answer("POST", form).status, 403);
    for body in ["Content-Length: 10000000\r\n", "Transfer-Encoding: chunked\r\n"] {
        let answer = answer("GET", body);
        assert_eq!(answer.status, 413, "{body}");
        assert!(answer.json()["error"].as_str().unwrap().contains("no body"));
    }
    assert_eq!(answer("GET", "Content-Length: 0\r\n").status, 200);
}

#[test]
fn an_address_that_is_too_long_is_refused_and_a_head_is_not_read_to_its_end() {
    let server = TestServer::new();
    let long = format!("/api/board?size=8&queens={}", "1.1_".repeat(5_000));
    assert!(server.refused(&long, 413).contains("longer than 8192 bytes"));
    let host = server.address;
    let mut client = server.client();
    let header = format!("X-Long: {}\r\n", "x".repeat(1_000));
    let head = format!("GET / HTTP/1.1\r\nHost: {host}\r\n{}", header.repeat(1_000));
    // The server may close the connection before the request is sent.
    let status = client.send(&head).map(|answer| answer.status);
    assert!(status.is_err() || status.is_ok_and(|status| status == 431));
    server.json("/api/limits");
}

#[test]
fn every_answer_says_that_no_page_frames_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<p>All reports").unwrap();
    let reports = Some(folder.path().to_owned());
    let server = TestServer::start(bezzel_serve::Options { reports, ..Default::default() });
    for address in ["/", "/board.js", "/reports/", "/api/limits", "/api/board?size=1", "/none"] {
        let answer = server.get(address);
        assert_eq!(answer.header("x-frame-options"), Some("DENY"), "{address}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("frame-ancestors 'none'"), "{address}: {policy}");
    }
}
