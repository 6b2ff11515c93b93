//! A server in a thread, and a client that sends given bytes.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bezzel_serve::question::Sides;
use bezzel_serve::{Limits, Options, Server, Stop};
use serde_json::Value;

/// The longest time that a test waits for an event.
const TEST_TIMEOUT: Duration = Duration::from_mins(2);

/// Waits until `is_so` returns true.
#[track_caller]
pub(crate) fn until(mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < TEST_TIMEOUT, "it did not come about");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Returns limits, and a question within them that takes hours: a board of rooks in which 14 columns are left for 15
/// rows. Propagation finds nothing.
pub(crate) fn hopeless(limits: &Limits) -> (Limits, String) {
    let blocked: Vec<_> =
        (1..=15).flat_map(|row| (15..=30).map(move |column| format!("{row}.{column}"))).collect();
    let question = format!("/api/board?size=30&piece=rook&blocked={}", blocked.join("_"));
    (Limits { sides: Sides { least: 1, max: 30 }, ..limits.clone() }, question)
}

/// A server that is stopped when the value is dropped.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    stop: Stop,
    running: Option<JoinHandle<()>>,
}

impl TestServer {
    pub(crate) fn new() -> Self {
        Self::start(Options::default())
    }

    /// Starts a server with these limits.
    pub(crate) fn within(limits: Limits) -> Self {
        Self::start(Options { limits, ..Options::default() })
    }

    /// Starts a server on any free port.
    pub(crate) fn start(options: Options) -> Self {
        let server = Server::bind(Options { port: 0, ..options }).unwrap();
        let (address, stop) = (server.address(), server.stop());
        let running = Some(thread::spawn(move || server.run().unwrap()));
        Self { address, stop, running }
    }

    /// Requests an address in a new connection.
    pub(crate) fn get(&self, address: &str) -> Answer {
        self.client().get(address).unwrap()
    }

    /// Returns the answer to a question that must have one.
    #[track_caller]
    pub(crate) fn json(&self, address: &str) -> Value {
        let answer = self.get(address);
        assert_eq!(answer.status, 200, "{address}: {}", answer.text());
        answer.json()
    }

    /// Returns the reason of a refusal with this status.
    #[track_caller]
    pub(crate) fn refused(&self, address: &str, status: u16) -> String {
        let answer = self.get(address);
        assert_eq!(answer.status, status, "{address}: {}", answer.text());
        answer.json()["error"].as_str().unwrap().to_owned()
    }

    /// Opens a connection.
    pub(crate) fn client(&self) -> Client {
        Client::new(self.address).unwrap()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop.stop();
        let ended = self.running.take().map(JoinHandle::join);
        if !thread::panicking() {
            ended.unwrap().unwrap();
        }
    }
}

/// A connection to a server.
pub(crate) struct Client {
    pub(crate) stream: TcpStream,
    address: SocketAddr,
    /// The bytes that were read beyond the last answer.
    rest: Vec<u8>,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(TEST_TIMEOUT))?;
        stream.set_write_timeout(Some(TEST_TIMEOUT))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, address, rest: Vec::new() })
    }

    /// Requests an address as browsers do.
    pub(crate) fn get(&mut self, address: &str) -> io::Result<Answer> {
        self.ask(address);
        self.read()
    }

    /// Requests an address, and does not wait for the answer.
    pub(crate) fn ask(&mut self, address: &str) {
        let request = format!("GET {address} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address);
        // A server that has closed the connection gives no answer, which the reader notices.
        let _ = self.stream.write_all(request.as_bytes());
    }

    /// Sends this text, and reads one answer.
    pub(crate) fn send(&mut self, request: &str) -> io::Result<Answer> {
        self.stream.write_all(request.as_bytes())?;
        self.read()
    }

    /// Reads the head of an answer, which stays to be read.
    pub(crate) fn head(&mut self) -> io::Result<String> {
        loop {
            let end = self.rest.windows(4).position(|four| four == b"\r\n\r\n");
            if let Some(end) = end {
                return Ok(String::from_utf8(self.rest[..end].to_vec()).unwrap());
            }
            self.more()?;
        }
    }

    /// Reads one answer.
    pub(crate) fn read(&mut self) -> io::Result<Answer> {
        let head = self.head()?;
        let head_end = head.len();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers: Vec<(String, String)> = lines
            .map(|line| line.split_once(':').unwrap())
            .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
            .collect();
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let length = length.map_or(0, |(_, length)| length.parse().unwrap());
        let body = head_end + 4;
        while self.rest.len() < body + length {
            self.more()?;
        }
        let after = self.rest.split_off(body + length);
        let bytes = self.rest.split_off(body);
        self.rest = after;
        Ok(Answer { status, headers, bytes })
    }

    fn more(&mut self) -> io::Result<()> {
        let mut part = vec![0; 1 << 16];
        let read = self.stream.read(&mut part)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.rest.extend_from_slice(&part[..read]);
        Ok(())
    }

    /// Waits until the server closes the connection, and ignores further data.
    pub(crate) fn is_closed(&mut self) -> bool {
        let mut part = vec![0; 1 << 16];
        loop {
            match self.stream.read(&mut part) {
                Ok(0) => return true,
                Ok(_) => {}
                Err(error) => {
                    use io::ErrorKind::{TimedOut, WouldBlock};
                    return !matches!(error.kind(), TimedOut | WouldBlock);
                }
            }
        }
    }
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) bytes: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| &**value)
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).unwrap()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json; charset=utf-8"));
        serde_json::from_slice(&self.bytes).unwrap()
    }
}
