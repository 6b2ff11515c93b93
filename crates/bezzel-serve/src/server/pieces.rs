//! A file that is sent in pieces, so that no more of it is in memory than is being written.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::body::{Body, Bytes, Frame};
use tokio::task::{self, JoinHandle};

/// So many bytes are read at a time.
const PIECE_BYTES: u64 = 32 << 10;

/// The bytes of a file. Its length is not told as that of a body, since a body of a known length is
/// one that is in memory.
pub(super) struct Pieces {
    file: Option<File>,
    left: u64,
    reading: Option<JoinHandle<io::Result<Piece>>>,
}

/// A piece, and the file that the next one is read from.
struct Piece {
    bytes: Vec<u8>,
    rest: File,
}

impl Pieces {
    /// So many bytes of the file, from its beginning.
    pub(super) fn new(file: File, length: u64) -> Self {
        Self { file: Some(file), left: length, reading: None }
    }
}

/// Reads on. A disk may take long, so that this is no work for a thread that answers others.
fn read(mut rest: File, most: u64) -> io::Result<Piece> {
    let mut bytes = Vec::new();
    rest.by_ref().take(most).read_to_end(&mut bytes)?;
    if bytes.is_empty() {
        // It has become shorter than it was said to be.
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
            let most = PIECE_BYTES.min(*left);
            *reading = Some(task::spawn_blocking(move || read(file, most)));
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
