//! A connection with timeouts for reading and writing.
//!
//! Hyper limits the time for the head of a request. It does not limit the time for which a client may leave its
//! answer unread, nor in every version the time for which an idle connection stays open. While an answer is
//! written, the timeout for reading is extended: a client that reads an answer need not send data.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// A stream that fails if the client reads nothing for too long, or neither sends nor reads data.
pub(super) struct TimeoutStream<S> {
    stream: S,
    reading: DirectionTimeout,
    writing: DirectionTimeout,
}

impl<S> TimeoutStream<S> {
    /// Returns the stream with the timeouts `reading` and `writing`.
    pub(super) fn new(stream: S, reading: Duration, writing: Duration) -> Self {
        Self {
            stream,
            reading: DirectionTimeout::new(reading),
            writing: DirectionTimeout::new(writing),
        }
    }
}

/// The timeout in one direction.
struct DirectionTimeout {
    longest: Duration,
    /// The end of the current wait, if there is one.
    end: Option<Pin<Box<Sleep>>>,
}

impl DirectionTimeout {
    fn new(longest: Duration) -> Self {
        Self { longest, end: None }
    }

    /// Returns the result of the operation, or an error after the timeout.
    fn poll<T>(
        &mut self,
        context: &mut Context<'_>,
        result: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.end = None;
            return result;
        }
        let end = self.end.get_or_insert_with(|| Box::pin(sleep(self.longest)));
        ready!(end.as_mut().poll(context));
        Poll::Ready(Err(ErrorKind::TimedOut.into()))
    }

    /// Restarts the timeout if a wait is in progress.
    fn restart(&mut self, context: &mut Context<'_>) {
        if let Some(end) = &mut self.end {
            end.as_mut().reset(Instant::now() + self.longest);
            // The task must be woken at the new end, even if the old one has just passed.
            let _ = end.as_mut().poll(context);
        }
    }
}

impl<S> TimeoutStream<S> {
    /// Returns the result of a write, or an error if the client has read nothing for too long.
    fn written(
        &mut self,
        context: &mut Context<'_>,
        result: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if matches!(result, Poll::Ready(Ok(1..))) {
            self.reading.restart(context);
        }
        self.writing.poll(context, result)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimeoutStream<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { stream, reading, .. } = self.get_mut();
        let result = Pin::new(stream).poll_read(context, into);
        reading.poll(context, result)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimeoutStream<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.written(context, result)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.stream).poll_write_vectored(context, parts);
        this.written(context, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, writing, .. } = self.get_mut();
        let result = Pin::new(stream).poll_flush(context);
        writing.poll(context, result)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, writing, .. } = self.get_mut();
        let result = Pin::new(stream).poll_shutdown(context);
        writing.poll(context, result)
    }
}
