//! The answers to valid questions.

use bezzel_queens::{Board, Square};
use serde_json::{Value, json};

use crate::server::test_server::TestServer;

fn marks(answer: &Value) -> Vec<String> {
    let rows = answer["squares"].as_array().unwrap();
    let mark = |cell: &Value| {
        let mark = cell["mark"].as_str().or(cell.as_str()).unwrap();
        mark.chars().next().unwrap()
    };
    rows.iter().map(|row| row.as_array().unwrap().iter().map(mark).collect()).collect()
}

#[test]
fn the_limits_say_what_may_be_asked() {
    let limits = TestServer::new().json("/api/limits");
    assert_eq!(limits["sizes"], json!([1, 27]));
    assert_eq!(limits["compiled"]["plane queen"], 14);
    assert_eq!(limits["compiled"].as_object().unwrap().len(), 4);
    let encodings = limits["encodings"].as_array().unwrap();
    assert!(encodings.len() > 60);
    for key in ["id", "title", "propagation"] {
        assert!(encodings.iter().all(|entry| entry[key].is_string()), "{key}");
    }
    for (id, propagation, lines) in [
        ("commander:3", "complete", true),
        ("support", "complete", false),
        ("binary", "refuting", false),
        ("bdd:ite", "weak", true),
    ] {
        let entry = encodings.iter().find(|entry| entry["id"] == id).unwrap();
        assert_eq!((&entry["propagation"], &entry["lines"]), (&json!(propagation), &json!(lines)));
    }
    assert!(!encodings.iter().any(|entry| entry["id"] == "native"), "it has no clauses");
    assert!(limits["seconds"].as_f64().unwrap() > 0.0 && limits["nodes"].as_u64().unwrap() > 0);
    assert_eq!(limits["reports"], false);
}

#[test]
fn a_board_is_known_by_its_diagram() {
    let server = TestServer::new();
    let answer = server.json("/api/board?size=8");
    assert_eq!(answer["how"], "diagram");
    assert_eq!(answer["solutions"], "92");
    assert_eq!(answer["squares"][0][0], json!({"count": "4", "mark": "free"}));
    assert_eq!(answer["squares"][0][3]["count"], "18");
    assert_eq!((&answer["completion"], &answer["note"]), (&Value::Null, &Value::Null));
    let board = json!({
        "size": 8, "geometry": "plane", "piece": "queen", "queens": [], "blocked": [],
    });
    assert_eq!(answer["board"], board);

    // The corner has four solutions; together with 2,5 one, which is the completion.
    let answer = server.json("/api/board?size=8&queens=1.1_2.5&blocked=8.8");
    assert_eq!(answer["board"]["queens"], json!([[1, 1], [2, 5]]));
    let first: String = marks(&answer).concat().chars().take(16).collect();
    assert_eq!(first, "qaaaaaaaaaaaqaaa");
    assert_eq!(marks(&answer)[7].chars().last(), Some('b'));
    let answer = server.json("/api/board?size=8&queens=1.1_2.5_3.8");
    assert_eq!(answer["solutions"], "1");
    assert_eq!(answer["completion"], json!([[4, 6], [5, 3], [6, 7], [7, 2], [8, 4]]));
    let answer = server.json("/api/board?size=4&queens=1.1");
    assert_eq!((&answer["solutions"], &answer["completion"]), (&json!("0"), &Value::Null));
    assert_eq!(marks(&answer), ["qaaa", "aadd", "adad", "adda"]);
}

#[test]
fn a_board_that_is_too_large_is_searched() {
    let server = TestServer::new();
    let answer = server.json("/api/board?size=12&geometry=torus&piece=rook");
    assert_eq!(answer["how"], "diagram");
    assert_eq!(answer["solutions"], "479001600");
    let answer = server.json("/api/board?size=15&queens=1.1_2.3_3.5");
    assert_eq!((&answer["how"], &answer["solutions"]), (&json!("search"), &Value::Null));
    assert!(answer["note"].as_str().unwrap().starts_with("N = 15 is searched by SAT"));
    assert_eq!(answer["squares"][0][0], json!({"count": null, "mark": "queen"}));
    assert!(marks(&answer).concat().contains('f') && !marks(&answer).concat().contains('u'));
    // A theorem shows that there is none.
    let answer = server.json("/api/board?size=16&geometry=torus&queens=1.1");
    assert_eq!((&answer["how"], &answer["solutions"]), (&json!("diagram"), &json!("0")));
    let theorem = answer["theorem"].as_str().unwrap();
    assert!(theorem.ends_with("neither 2 nor 3 divides N (Pólya 1918)"), "{theorem}");
    let error = server.refused("/api/solution?size=15&number=1", 400);
    assert!(error.contains("does not compile within the limits"), "{error}");
}

#[test]
fn a_number_that_is_published_comes_with_its_source() {
    let server = TestServer::new();
    let published = |board: &str| server.json(&format!("/api/board?{board}"))["published"].clone();
    assert_eq!(published("size=8"), json!({"count": "92", "source": "OEIS A000170"}));
    let large = json!({"count": "14772512", "source": "OEIS A000170"});
    assert_eq!(published("size=16"), large);
    for board in ["size=8&queens=1.1", "size=8&blocked=1.1", "size=8&piece=rook"] {
        assert_eq!(published(board), Value::Null, "{board}");
    }
}

#[test]
fn the_smallest_boards_are_boards() {
    let server = TestServer::new();
    for (size, solutions) in [(1, "1"), (2, "0"), (3, "0")] {
        let answer = server.json(&format!("/api/board?size={size}"));
        assert_eq!(answer["solutions"], solutions, "size {size}");
        assert_eq!(answer["theorem"].is_string(), solutions == "0", "size {size}");
        let view = server.json(&format!("/api/propagation?size={size}&encoding=pairwise"));
        assert_eq!(view["squares"].as_array().unwrap().len(), size);
    }
    let answer = server.json("/api/why?size=3&square=2.2");
    assert!(answer["text"].as_str().unwrap().contains("Pauls 1874"), "{answer}");
}

#[test]
fn a_solver_finds_a_solution_where_no_diagram_compiles() {
    let server = TestServer::new();
    let answer = server.json("/api/solution?size=15&queens=1.1_2.3");
    assert_eq!(answer["of"], Value::Null);
    let queens: Vec<(u32, u32)> = serde_json::from_value(answer["queens"].clone()).unwrap();
    assert!(queens.contains(&(1, 1)) && queens.contains(&(2, 3)), "{queens:?}");
    let board = Board::new(15).unwrap();
    assert!(board.with_placed(queens.iter().copied().map(Square::from)).is_ok(), "{queens:?}");
    assert_eq!(queens.len(), 15);
    // A diagram gives its first solution.
    let answer = server.json("/api/solution?size=6&queens=1.3");
    assert_eq!((&answer["queens"][0], &answer["of"]), (&json!([1, 3]), &json!("1")));
    let error = server.refused("/api/solution?size=6&queens=1.1", 400);
    assert_eq!(error, "no solution has all of these pieces");
}

#[test]
fn conflicts_of_a_position_are_counted_over_ten_scramblings() {
    let server = TestServer::new();
    let of = |board: &str| server.json(&format!("/api/conflicts?{board}&encoding=pairwise"));
    let answer = of("size=8&queens=1.1_2.5");
    assert_eq!((&answer["scramblings"], &answer["answered"]), (&json!(10), &json!(10)));
    assert_eq!((&answer["is_solvable"], &answer["encoding"]), (&json!(true), &json!("pairwise")));
    let number = |key: &str| answer[key].as_f64().unwrap();
    assert!(number("least") <= number("median") && number("median") <= number("most"), "{answer}");
    assert_eq!(of("size=8&queens=1.1_2.5"), answer, "the same question has the same answer");
    assert_eq!(of("size=6&queens=1.1")["is_solvable"], false);
    let error = server.refused("/api/conflicts?size=6&encoding=native", 400);
    assert!(error.contains("`native` states"), "{error}");
}

#[test]
fn why_tells_pieces_lines_and_clauses() {
    let server = TestServer::new();
    let answer = server.json("/api/why?size=8&queens=2.5&square=2.7");
    assert_eq!(answer["queens"], json!([[2, 5]]));
    assert_eq!(answer["attack"]["line"], "row 2");
    assert_eq!(answer["attack"]["squares"], json!([[2, 5], [2, 6], [2, 7]]));
    assert_eq!(answer["text"], "The queen on (2, 5) attacks (2, 7) along row 2.");
    let clauses = answer["clauses"].as_array().unwrap();
    assert_eq!((clauses.len(), &clauses[0]["gives"]), (2, &json!("x(2,5)")));
    assert_eq!(clauses[1]["clause"], json!(["¬x(2,5)", "¬x(2,7)"]));
    // Around the edge, which is the shorter way.
    let answer = server.json("/api/why?size=7&geometry=torus&queens=1.1&square=2.7");
    assert_eq!(answer["attack"]["squares"], json!([[1, 1], [2, 7]]));
    let answer = server.json("/api/why?size=5&queens=1.1&square=3.4");
    assert_eq!((&answer["queens"], &answer["attack"]), (&json!([[1, 1]]), &Value::Null));
    let last = answer["clauses"].as_array().unwrap().last().unwrap();
    assert_eq!(last["gives"], Value::Null, "a conflict");
    let error = server.refused("/api/why?size=8&square=1.1", 400);
    assert_eq!(error, "the square (1, 1) is not ruled out: some solution uses it");
    let answer = server.json("/api/why?size=16&queens=1.1&square=2.2");
    assert_eq!(answer["queens"], json!([[1, 1]]));
}

#[test]
fn the_view_shows_the_squares_that_an_encoding_propagates() {
    let server = TestServer::new();
    let answer =
        server.json("/api/propagation?size=8&queens=1.1_2.5&encoding=commander%3A2%2Bflat");
    assert_eq!(answer["encoding"], "commander:2+flat");
    assert!(answer["title"].is_string() && answer["variables"].as_u64() > Some(64));
    assert_eq!(marks(&answer)[0], "qaaaaaaa");
    assert_eq!(answer["sees"][0][1], true);
    assert_eq!((&answer["conflict"], &answer["steps_left_out"]), (&json!(false), &json!(0)));
    let step = &answer["steps"][0];
    assert_eq!((&step["section"], &step["gives"]), (&json!("queens"), &json!("x(1,1)")));
    let error = server.refused("/api/propagation?size=8&encoding=pairwize", 400);
    assert!(error.contains("did you mean `pairwise`?"), "{error}");
    assert!(server.refused("/api/propagation?size=8", 400).starts_with("`encoding` is missing"));
}

#[test]
fn solutions_are_reported_by_number() {
    let server = TestServer::new();
    let answer = server.json("/api/solution?size=8&number=1");
    let first = json!([[1, 1], [2, 5], [3, 8], [4, 6], [5, 3], [6, 7], [7, 2], [8, 4]]);
    assert_eq!(answer, json!({"queens": first, "of": "92"}));
    let last = server.json("/api/solution?size=8&queens=1.1&number=4");
    assert_eq!((&last["queens"][0], &last["of"]), (&json!([1, 1]), &json!("4")));
    for number in ["0", "93", "-1", "", "1e1", "9999999999999999999999999999999"] {
        server.refused(&format!("/api/solution?size=8&number={number}"), 400);
    }
}

#[test]
fn a_board_is_exported_as_a_file() {
    let server = TestServer::new();
    let board = "size=5&geometry=torus&queens=1.2";
    let answer = server.get(&format!("/api/export?{board}&format=board"));
    assert_eq!(answer.text(), "torus\n. Q . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .\n");
    let name = "attachment; filename=\"torus-queens-5.txt\"";
    assert_eq!(answer.header("content-disposition"), Some(name));
    assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    let answer = server
        .get(&format!("/api/export?{board}&format=config&encoding=pairwise&second=commander%3A2"));
    let entry = "\nproblems:\n  - {queens: {size: 5, geometry: torus, queens: [[1,2]]}}\n\
                 encodings: [pairwise, commander:2]\nnumberings: [random]\nsolvers: [cadical]\n";
    assert!(answer.text().ends_with(entry), "{}", answer.text());
    let answer = server.get(&format!("/api/export?{board}&format=dimacs&encoding=binary"));
    assert!(answer.text().contains("\nc queens: 1,2\n"), "{}", answer.text());
    let made_by = "\nc made by: bezzel encode 5 -\\-encoding binary -\\-torus -\\-queen 1,2\n";
    assert!(answer.text().contains(made_by), "{}", answer.text());
    assert!(
        server.refused(&format!("/api/export?{board}&format=png"), 400).contains("it is board")
    );
}

#[test]
fn the_page_comes_with_a_policy_that_lets_it_ask_this_server_alone() {
    let server = TestServer::new();
    let mut client = server.client();
    for (address, kind) in [
        ("/", "text/html; charset=utf-8"),
        ("/board.css", "text/css; charset=utf-8"),
        ("/board.js", "text/javascript; charset=utf-8"),
    ] {
        let answer = client.get(address).unwrap();
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(kind)), "{address}");
        let policy = answer.header("content-security-policy").unwrap();
        for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        // All files that it loads are here.
        for loaded in answer.text().split("src=\"").skip(1) {
            let loaded = loaded.split('"').next().unwrap();
            assert_eq!(server.get(loaded).status, 200, "{loaded}");
        }
    }
}

#[test]
fn an_address_without_a_page_has_one_with_the_reason_and_links() {
    let server = TestServer::new();
    for (address, reason) in
        [("/nothing", "there is nothing at this address"), ("/reports/x/", "no folder of reports")]
    {
        let answer = server.get(address);
        assert_eq!(answer.status, 404);
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
        let text = answer.text();
        assert!(text.contains(reason) && !text.contains("{reason}"), "{text}");
        for link in ["href=\"/\"", "href=\"/reports/\"", "href=\"/page.css\""] {
            assert!(text.contains(link), "{text}");
        }
    }
}
