//! Many at a time.

use std::thread;
use std::time::{Duration, Instant};

use bezzel_serve::Limits;

use crate::place::{Client, Place};

#[test]
fn so_many_connections_are_open_and_the_next_is_told_so() {
    let place = Place::within(Limits { connections: 8, ..Limits::default() });
    let mut open: Vec<Client> = (0..8).map(|_| place.client()).collect();
    for client in &mut open {
        assert_eq!(client.get("/api/limits").unwrap().status, 200);
    }
    let answer = place.client().read().unwrap();
    assert_eq!(answer.status, 503);
    assert_eq!(answer.header("retry-after"), Some("1"));
    assert!(answer.json()["error"].as_str().unwrap().contains("too many connections"));
    // Those that are open go on, and a place that is free again is given away.
    assert_eq!(open[3].get("/api/board?size=8").unwrap().status, 200);
    open.truncate(7);
    let begun = Instant::now();
    loop {
        let status = place.client().get("/api/limits").map(|answer| answer.status);
        if status.is_ok_and(|status| status == 200) {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(5));
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn hundreds_of_connections_at_once_leave_an_honest_client_alone() {
    let place = Place::within(Limits { connections: 64, ..Limits::default() });
    let mut honest = place.client();
    assert_eq!(honest.get("/api/board?size=8").unwrap().status, 200);
    let idle: Vec<_> = (0..300).map(|_| Client::new(place.address)).collect();
    for _ in 0..50 {
        let begun = Instant::now();
        assert_eq!(honest.get("/api/board?size=8&queens=1.1").unwrap().status, 200);
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    }
    drop(idle);
}

#[test]
fn thousands_of_questions_are_answered_or_put_off() {
    let place = Place::within(Limits { requests: 4, tasks: 2, ..Limits::default() });
    let place = &place;
    thread::scope(|scope| {
        let asking: Vec<_> = (0..8)
            .map(|number| {
                scope.spawn(move || {
                    let mut client = place.client();
                    let mut answered = 0;
                    for turn in 0..250 {
                        let column = (number + turn) % 8 + 1;
                        let address = format!("/api/board?size=8&queens=1.{column}");
                        let answer = client.get(&address).unwrap();
                        match answer.status {
                            200 => answered += 1,
                            503 => assert_eq!(answer.header("retry-after"), Some("1")),
                            status => panic!("{status}: {}", answer.text()),
                        }
                    }
                    answered
                })
            })
            .collect();
        let answered: u32 = asking.into_iter().map(|asking| asking.join().unwrap()).sum();
        assert!(answered > 200, "{answered} answered");
    });
    place.json("/api/board?size=8");
}
