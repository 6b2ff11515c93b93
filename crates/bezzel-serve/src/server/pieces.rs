//! A body that sends a file in pieces, with only the current piece in memory.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::body::{Body, Bytes, Frame};
use tokio::task::{self, JoinHandle};

/// The number of bytes that are read at a time.
const PIECE_BYTES: u64 = 32 << 10;

/// The bytes of a file. Its length is not given as that of the body, since a body of known length counts as one in
/// memory.
pub(super) struct Pieces {
    file: Option<File>,
    left: u64,
    reading: Option<JoinHandle<io::Result<Piece>>>,
}

/// A piece, and the file for the next one.
struct Piece {
    bytes: Vec<u8>,
    rest: File,
}

impl Pieces {
    /// Returns the first `length` bytes of the file.
    pub(super) fn new(file: File, length: u64) -> Self {
        Self { file: Some(file), left: length, reading: None }
    }
}

/// Reads the next piece. A disk may be slow, so this must not run on a thread that serves other requests.
fn read(mut rest: File, max: u64) -> io::Result<Piece> {
    let mut bytes = Vec::new();
    rest.by_ref().take(max).read_to_end(&mut bytes)?;
    if bytes.is_empty() {
        // The file has become shorter.
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(Piece { bytes, rest })
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let Self { file, left, reading } = self.get_mut();
        if let Some(file) = file.take_if(|_| *left > 0) {
            let max = PIECE_BYTES.min(*left);
            *reading = Some(task::spawn_blocking(move || read(file, max)));
        }
        let Some(under_way) = reading else { return Poll::Ready(None) };
        let read = ready!(Pin::new(under_way).poll(context));
        *reading = None;
        let read = read.map_err(io::Error::other).flatten();
        Poll::Ready(Some(read.map(|Piece { bytes, rest }| {
            *left -= bytes.len() as u64;
            *file = Some(rest);
            Frame::data(bytes.into())
        })))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }
}
