//! The memory of answers while they are sent, which may take as long as their clients like.
//!
//! A question has its permit until its answer is ready. The answer then waits for a client that may read it slowly.
//! Its bytes count until the last of them is written. Short answers are not counted, so clients that read long
//! answers slowly do not block questions.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Error;
use axum::body::Body;
use axum::response::Response;
use hyper::body::{Bytes, Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::refusal::Refusal;

/// The largest length of an answer that is not counted: the number of connections bounds these.
pub(super) const SHORT: u64 = 64 << 10;
/// The bytes that are counted for an answer of unknown length, which is sent in pieces: a few pieces, and its file.
const IN_PIECES: u64 = 256 << 10;

/// The memory for answers that are being sent.
#[derive(Debug)]
pub(super) struct Sending(Arc<Semaphore>);

impl Sending {
    /// Returns a memory of `bytes` bytes.
    pub(super) fn new(bytes: u32) -> Self {
        Self(Arc::new(Semaphore::new(bytes as usize)))
    }

    /// Returns the answer, which reserves its bytes until it is written; or a refusal if they are not free.
    pub(super) fn reserve(&self, response: Response) -> Result<Response, Refusal> {
        let (head, body) = response.into_parts();
        let bytes = hyper::body::Body::size_hint(&body).exact().unwrap_or(IN_PIECES);
        if bytes <= SHORT {
            return Ok(Response::from_parts(head, body));
        }
        let permit = u32::try_from(bytes).ok();
        let permit =
            permit.and_then(|bytes| Arc::clone(&self.0).try_acquire_many_owned(bytes).ok());
        let permit = permit.ok_or_else(|| {
            Refusal::later("too many long answers are being sent at a time; ask again")
        })?;
        let reserved = ReservedBody { body, permit: Arc::new(permit) };
        Ok(Response::from_parts(head, Body::new(reserved)))
    }
}

/// A body with its reservation.
struct ReservedBody {
    body: Body,
    permit: Arc<OwnedSemaphorePermit>,
}

/// Bytes with the reservation of their answer. The body is dropped when its last bytes are passed on, long before
/// these are written.
struct ReservedBytes {
    bytes: Bytes,
    _permit: Arc<OwnedSemaphorePermit>,
}

impl AsRef<[u8]> for ReservedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl hyper::body::Body for ReservedBody {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let Self { body, permit } = self.get_mut();
        let with_permit =
            |bytes| Bytes::from_owner(ReservedBytes { bytes, _permit: Arc::clone(permit) });
        let frame = Pin::new(body).poll_frame(context);
        frame.map_ok(|frame| frame.map_data(with_permit))
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
        sending.reserve(Response::new(Body::from(vec![b'x'; 100_000])))
    }

    #[test]
    fn an_answer_keeps_its_memory_until_its_last_bytes_are_sent() {
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
    fn short_answers_need_no_memory_and_others_never_too_much() {
        let sending = Sending::new(0);
        assert!(sending.reserve(Response::new(Body::from(vec![b'x'; SHORT as usize]))).is_ok());
        assert!(long(&sending).is_err());
    }
}
