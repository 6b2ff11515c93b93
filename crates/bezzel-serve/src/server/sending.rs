//! What answers hold in memory while they are sent, which is as long as their clients like.
//!
//! A question has its place until its answer is there. The answer then waits for a client that may
//! take it slowly, and counts by its bytes until the last of them is written; short answers count
//! nothing, so that whoever takes long ones slowly keeps no question waiting.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Error;
use axum::body::Body;
use axum::response::Response;
use hyper::body::{Bytes, Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::refusal::Refusal;

/// So long an answer may be that counts nothing: the number of connections bounds these.
pub(super) const SHORT: u64 = 64 << 10;
/// What an answer of unknown length counts, which is sent in pieces: a few of them, and its file.
const IN_PIECES: u64 = 256 << 10;

/// The room for answers that are being sent.
#[derive(Debug)]
pub(super) struct Sending(Arc<Semaphore>);

impl Sending {
    /// Room for so many bytes.
    pub(super) fn new(bytes: u32) -> Self {
        Self(Arc::new(Semaphore::new(bytes as usize)))
    }

    /// The answer, which takes its room until it is written; or that there is none.
    pub(super) fn hold(&self, response: Response) -> Result<Response, Refusal> {
        let (head, body) = response.into_parts();
        let bytes = hyper::body::Body::size_hint(&body).exact().unwrap_or(IN_PIECES);
        if bytes <= SHORT {
            return Ok(Response::from_parts(head, body));
        }
        let room = u32::try_from(bytes).ok();
        let room = room.and_then(|bytes| Arc::clone(&self.0).try_acquire_many_owned(bytes).ok());
        let room = room.ok_or_else(|| {
            Refusal::later("too many long answers are being sent at a time; ask again")
        })?;
        let held = Held { body, room: Arc::new(room) };
        Ok(Response::from_parts(head, Body::new(held)))
    }
}

/// A body with its room.
struct Held {
    body: Body,
    room: Arc<OwnedSemaphorePermit>,
}

/// Bytes with the room of their answer: a body is gone when its last bytes are handed over, long
/// before these are written.
struct Roomed {
    bytes: Bytes,
    _room: Arc<OwnedSemaphorePermit>,
}

impl AsRef<[u8]> for Roomed {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl hyper::body::Body for Held {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let Self { body, room } = self.get_mut();
        let with_room = |bytes| Bytes::from_owner(Roomed { bytes, _room: Arc::clone(room) });
        let frame = Pin::new(body).poll_frame(context);
        frame.map_ok(|frame| frame.map_data(with_room))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    fn long(sending: &Sending) -> Result<Response, Refusal> {
        sending.hold(Response::new(Body::from(vec![b'x'; 100_000])))
    }

    #[test]
    fn an_answer_keeps_its_room_until_its_last_bytes_are_gone() {
        let sending = Sending::new(150_000);
        let mut body = long(&sending).unwrap().into_body();
        assert!(long(&sending).is_err());
        let mut context = Context::from_waker(Waker::noop());
        let frame = hyper::body::Body::poll_frame(Pin::new(&mut body), &mut context);
        let Poll::Ready(Some(Ok(frame))) = frame else { panic!("it is there") };
        let bytes = frame.into_data().unwrap();
        assert_eq!(bytes.len(), 100_000);
        drop(body);
        assert!(long(&sending).is_err(), "its bytes are still to be written");
        drop(bytes);
        assert!(long(&sending).is_ok());
    }

    #[test]
    fn short_answers_need_no_room_and_others_never_too_much() {
        let sending = Sending::new(0);
        assert!(sending.hold(Response::new(Body::from(vec![b'x'; SHORT as usize]))).is_ok());
        assert!(long(&sending).is_err());
    }
}
