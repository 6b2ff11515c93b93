//! Invalid questions: each is refused with a reason, and the server continues.

use bezzel_serve::Limits;
use bezzel_serve::question::Sides;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::server::test_server::TestServer;

/// The number of random questions, unless `BEZZEL_FUZZ` gives another one.
const QUESTIONS: u32 = 150;

#[test]
fn a_size_out_of_bounds_is_refused() {
    let server = TestServer::new();
    for size in ["0", "28", "40000", "1000000000", "-1", "NaN", "8.5", "%00", "0x8"] {
        for question in ["board?", "why?square=1.1&", "propagation?encoding=pairwise&"] {
            let error = server.refused(&format!("/api/{question}size={size}"), 400);
            assert!(error.contains("size") && error.len() < 200, "{error}");
        }
    }
}

const PIECES: [&str; 34] = [
    "size=",
    "size=8",
    "size=5",
    "size=9",
    "size=1e9",
    "geometry=",
    "geometry=torus",
    "piece=rook",
    "piece=",
    "queens=",
    "queens=1.1",
    "queens=1.1_2.3",
    "_3.5",
    "blocked=2.2",
    "blocked=9.9_1.2",
    "square=1.1",
    "square=3.3",
    "square=",
    "encoding=pairwise",
    "encoding=binary",
    "encoding={a: b",
    "encoding=%7Brows%3A%20product%7D",
    "number=1",
    "number=99999999999999999999",
    "format=board",
    "format=dimacs",
    "format=",
    "&",
    "=",
    "_",
    ".",
    "%",
    "0",
    "99999999999",
];

fn question(random: &mut ChaCha8Rng) -> String {
    let endpoints = ["board", "why", "propagation", "solution", "export", "limits", "nothing", ""];
    let mut address = format!("/api/{}?", endpoints[random.random_range(0..endpoints.len())]);
    if random.random_range(0..4) > 0 {
        address.push_str(["size=4", "size=6", "size=8"][random.random_range(0..3)]);
    }
    for _ in 0..random.random_range(0..7) {
        if random.random_range(0..5) > 0 {
            address.push('&');
        }
        address.push_str(PIECES[random.random_range(0..PIECES.len())]);
    }
    if random.random_range(0..4) == 0 {
        // Any characters that a request may have in its address.
        for _ in 0..random.random_range(1..40) {
            let byte: u8 = random.random_range(b'!'..=b'~');
            address.push(char::from(byte));
        }
    }
    address.retain(|c| c != ' ' && c != '#');
    address
}

#[test]
fn whatever_is_asked_is_answered_or_refused_in_words() {
    let limits = Limits { sides: Sides { least: 4, max: 9 }, ..Limits::default() };
    let server = TestServer::within(limits);
    let count = std::env::var("BEZZEL_FUZZ").map_or(QUESTIONS, |count| count.parse().unwrap());
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let mut client = server.client();
    let mut answered = 0;
    for _ in 0..count {
        let address = question(&mut random);
        let Ok(answer) = client.get(&address) else {
            // If the parser of heads rejects the address, the connection ends.
            client = server.client();
            continue;
        };
        match answer.status {
            200 => answered += 1,
            404 => assert!(answer.text().contains("there is nothing at this address"), "{address}"),
            400 => {
                if answer.header("connection") == Some("close") {
                    client = server.client();
                    continue;
                }
                let error = answer.json()["error"].as_str().unwrap().to_owned();
                assert!((10..1_000).contains(&error.len()), "{address}: {error}");
                assert!(!error.ends_with('.'), "{address}: {error}");
            }
            status => panic!("{address}: {status}: {}", answer.text()),
        }
    }
    assert!(answered > count / 20, "{answered} of {count} were good questions");
    server.json("/api/board?size=8");
}

#[test]
fn an_invalid_request_ends_its_own_connection_only() {
    let server = TestServer::new();
    let mut random = ChaCha8Rng::seed_from_u64(12);
    let mut honest = server.client();
    for _ in 0..20 {
        let length = random.random_range(1..300);
        let bytes: Vec<u8> = (0..length).map(|_| random.random()).collect();
        let mut client = server.client();
        let _ = std::io::Write::write_all(&mut client.stream, &bytes);
        let _ = client.stream.shutdown(std::net::Shutdown::Write);
        assert!(client.is_closed());
        assert_eq!(honest.get("/api/limits").unwrap().status, 200);
    }
}
