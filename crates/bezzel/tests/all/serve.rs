//! `bezzel serve` for a user.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use bezzel_experiment::Config;
use bezzel_queens::knowledge::export;
use bezzel_queens::{Board, Geometry, Piece, Square};

/// A program that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // The process may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn bezzel() -> Command {
    Command::new(env!("CARGO_BIN_EXE_bezzel"))
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(2))).unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// The program as it serves a folder, and its address.
fn served(folder: &Path) -> (Running, String) {
    let mut command = bezzel();
    command.args(["serve", "--port", "0", "--root"]).arg(folder).stdout(Stdio::piped());
    let mut running = Running(command.spawn().unwrap());
    let mut line = String::new();
    BufReader::new(running.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.strip_prefix("The board is at http://").unwrap();
    (running, address.strip_suffix("/ until Ctrl-C ends it.\n").unwrap().to_owned())
}

#[test]
fn missing_and_outdated_pages_of_reports_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    let config = "name: small\nquestion: How many?\nproblems: [{queens: {size: 5}}]\nencodings: [pairwise]\ntask: size\n";
    std::fs::write(at("small.yaml"), config).unwrap();
    let mut command = bezzel();
    let run = command.args(["run", "--quiet", "small.yaml"]).current_dir(folder.path());
    assert!(run.output().unwrap().status.success());
    let page = at("reports/small/index.html");
    for file in [&page, &at("reports/index.html"), &at("reports/small/table.md")] {
        std::fs::remove_file(file).unwrap();
    }
    let (_running, address) = &served(folder.path());
    let made = |path: &str| get(address, path);
    assert!(made("/reports/").contains("small/index.html"));
    assert!(made("/reports/small/table.md").contains("pairwise"));
    assert!(made("/reports/small/").contains("How many?"));
    // A page that is older than its evidence is made again.
    std::fs::write(&page, "old").unwrap();
    assert!(made("/reports/small/").ends_with("old"));
    let before = std::time::SystemTime::now() - Duration::from_hours(1);
    std::fs::File::options().write(true).open(&page).unwrap().set_modified(before).unwrap();
    assert!(made("/reports/small/").contains("How many?"));
    // The answer for a report that cannot be made contains the reason.
    std::fs::remove_file(&page).unwrap();
    std::fs::create_dir_all(at("configs/reports")).unwrap();
    std::fs::write(at("configs/reports/small.yaml"), "experiments: [smal]\n").unwrap();
    let refused = made("/reports/small/");
    assert!(
        refused.starts_with("HTTP/1.1 404") && refused.contains("give the file another name"),
        "{refused}"
    );
    assert!(made("/reports/smal/").starts_with("HTTP/1.1 404"));
}

#[test]
fn the_first_line_says_where_the_board_is() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("reports")).unwrap();
    std::fs::write(folder.path().join("reports/index.html"), "<p>All reports").unwrap();
    let (_running, address) = &served(folder.path());
    assert!(get(address, "/").contains("<title>"));
    assert!(get(address, "/api/board?size=8").contains("\"solutions\":\"92\""));
    assert!(get(address, "/reports/").ends_with("<p>All reports"));
}

#[test]
fn a_taken_port_is_one_clear_message() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = bezzel().args(["serve", "--port", &port]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with(&format!("error: port {port} of 127.0.0.1 is taken")), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(output.stdout.is_empty());
}

#[test]
fn an_exported_config_has_the_board_and_the_encodings() {
    let queens = [Square::new(0, 0), Square::new(1, 4)];
    let plane = Board::new(8).unwrap().with_placed(queens).unwrap();
    let torus = Board::new(7).unwrap().with_geometry(Geometry::Torus);
    let rooks = Board::new(5).unwrap().with_piece(Piece::Rook);
    let rooks = rooks.with_blocked([Square::new(2, 2), Square::new(0, 3)]).unwrap();
    for board in [plane, torus, rooks] {
        let encodings = ["pairwise".to_owned(), "commander:3".to_owned()];
        let text = export::config(&board, "exported", &encodings);
        let config =
            Config::parse(&text, "exported.yaml", &bezzel_queens::experiment::catalog()).unwrap();
        let boards: Vec<_> =
            config.matrix.instances.iter().filter_map(|entry| Board::of(&entry.instance)).collect();
        assert_eq!(boards, [&board], "{text}");
        assert_eq!(config.matrix.encodings.len(), 2, "{text}");
    }
}
