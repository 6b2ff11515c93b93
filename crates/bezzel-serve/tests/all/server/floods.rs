//! Many clients at a time.

use std::thread;

use bezzel_serve::Limits;

use crate::server::test_server::{Client, TestServer, until};

#[test]
fn open_connections_are_limited_and_the_next_one_is_refused() {
    let server = TestServer::within(Limits { connections: 8, ..Limits::default() });
    let mut open: Vec<Client> = (0..8).map(|_| server.client()).collect();
    for client in &mut open {
        assert_eq!(client.get("/api/limits").unwrap().status, 200);
    }
    let answer = server.client().read().unwrap();
    assert_eq!(answer.status, 503);
    assert_eq!(answer.header("retry-after"), Some("1"));
    assert!(answer.json()["error"].as_str().unwrap().contains("too many connections"));
    // Open connections continue, and a connection that is closed makes way for another one.
    assert_eq!(open[3].get("/api/board?size=8").unwrap().status, 200);
    open.truncate(7);
    until(|| server.client().get("/api/limits").is_ok_and(|answer| answer.status == 200));
}

#[test]
fn hundreds_of_connections_at_once_leave_an_honest_client_alone() {
    let server = TestServer::within(Limits { connections: 64, ..Limits::default() });
    let mut honest = server.client();
    assert_eq!(honest.get("/api/board?size=8").unwrap().status, 200);
    let idle: Vec<_> = (0..300).map(|_| Client::new(server.address)).collect();
    for _ in 0..50 {
        assert_eq!(honest.get("/api/board?size=8&queens=1.1").unwrap().status, 200);
    }
    drop(idle);
}

/// The number of answers that each client of a crowd gets, after any number of refusals.
const ANSWERS: u32 = 100;

#[test]
fn thousands_of_questions_about_a_small_board_are_answered_though_few_may_wait_for_others() {
    let server = TestServer::within(Limits { requests: 2, tasks: 2, ..Limits::default() });
    let server = &server;
    thread::scope(|scope| {
        let asking: Vec<_> = (0..8)
            .map(|number| {
                scope.spawn(move || {
                    let mut client = server.client();
                    let (mut answered, mut put_off) = (0, 0_u32);
                    while answered < ANSWERS {
                        let column = (number + answered) % 8 + 1;
                        let address = format!("/api/board?size=8&queens=1.{column}");
                        let answer = client.get(&address).unwrap();
                        match answer.status {
                            200 => answered += 1,
                            503 => {
                                assert_eq!(answer.header("retry-after"), Some("1"));
                                put_off += 1;
                            }
                            status => panic!("{status}: {}", answer.text()),
                        }
                    }
                    put_off
                })
            })
            .collect();
        let put_off: u32 = asking.into_iter().map(|asking| asking.join().unwrap()).sum();
        assert_eq!(put_off, 0, "small boards have places of their own");
    });
    server.json("/api/board?size=8");
}
