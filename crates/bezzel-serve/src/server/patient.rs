//! A connection that is patient, but not for ever.
//!
//! Hyper limits how long the head of a request may take. It does not limit how long a client may
//! leave its answer untaken, nor in every version how long it may keep a connection without a word.
//! It waits for a word while it writes; whoever takes an answer need not say anything meanwhile.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// A stream that fails when the other side takes nothing for too long, or neither says nor takes
/// anything.
pub(super) struct Patient<S> {
    stream: S,
    reading: Wait,
    writing: Wait,
}

impl<S> Patient<S> {
    /// Waits so long for something to read, and so long for something to be taken.
    pub(super) fn new(stream: S, reading: Duration, writing: Duration) -> Self {
        Self { stream, reading: Wait::new(reading), writing: Wait::new(writing) }
    }
}

/// Waiting in one direction.
struct Wait {
    longest: Duration,
    /// The end of it, while it goes on.
    end: Option<Pin<Box<Sleep>>>,
}

impl Wait {
    fn new(longest: Duration) -> Self {
        Self { longest, end: None }
    }

    /// What was tried, or that it was waited for too long.
    fn poll<T>(
        &mut self,
        context: &mut Context<'_>,
        tried: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if tried.is_ready() {
            self.end = None;
            return tried;
        }
        let end = self.end.get_or_insert_with(|| Box::pin(sleep(self.longest)));
        ready!(end.as_mut().poll(context));
        Poll::Ready(Err(ErrorKind::TimedOut.into()))
    }

    /// Begins anew, if it goes on.
    fn begin_anew(&mut self, context: &mut Context<'_>) {
        if let Some(end) = &mut self.end {
            end.as_mut().reset(Instant::now() + self.longest);
            // Whoever waits is to be woken at the new end, even if the old one has just passed.
            let _ = end.as_mut().poll(context);
        }
    }
}

impl<S> Patient<S> {
    /// What was written of an answer, or that nothing was taken of it for too long.
    fn written(
        &mut self,
        context: &mut Context<'_>,
        tried: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if matches!(tried, Poll::Ready(Ok(1..))) {
            self.reading.begin_anew(context);
        }
        self.writing.poll(context, tried)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { stream, reading, .. } = self.get_mut();
        let tried = Pin::new(stream).poll_read(context, into);
        reading.poll(context, tried)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let tried = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.written(context, tried)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let tried = Pin::new(&mut this.stream).poll_write_vectored(context, parts);
        this.written(context, tried)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, writing, .. } = self.get_mut();
        let tried = Pin::new(stream).poll_flush(context);
        writing.poll(context, tried)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, writing, .. } = self.get_mut();
        let tried = Pin::new(stream).poll_shutdown(context);
        writing.poll(context, tried)
    }
}
