//! Connections: how many one address may have, and how long one may take to send its request.

use axum_server::accept::Accept;
use axum_server::{Address, Server};
use parking_lot::Mutex;
use serde_json::json;
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep, timeout};

/// Time for the head of a request.
pub(crate) const HEAD: Duration = Duration::from_secs(15);
/// Size of a head from which it is refused without being read, in bytes.
const MOST_READ: usize = 64 << 10;
/// Connections of one address at a time. Anything on this machine may be a proxy for many others.
const OF_ONE_ADDRESS: usize = 64;
const OF_THIS_MACHINE: usize = 512;
/// Bits of an IPv6 address that name one customer of a network.
const CUSTOMER: u128 = u128::MAX << 64;
/// How long an excess connection is still read, so that its caller sees the answer and not a reset.
const PARTING: Duration = Duration::from_secs(1);

/// `server` with limits on the size of a head and on the time for it.
pub(crate) fn bounded<A: Address, Acc>(mut server: Server<A, Acc>) -> Server<A, Acc> {
    let builder = server.http_builder();
    // The heads after the first; an idle connection is closed after this time. The first one has an answer of its
    // own, see `Watched`.
    builder.http1().header_read_timeout(HEAD + Duration::from_secs(1)).max_buf_size(MOST_READ);
    builder.http2().max_header_list_size(MOST_READ as u32).keep_alive_interval(HEAD);
    server
}

/// Accepts connections while their address may have more, and passes them to `inner`.
#[derive(Clone)]
pub(crate) struct Doorkeeper<A> {
    inner: A,
    open: Arc<Open>,
    /// Whether data are written to a connection unencrypted.
    plain: bool,
}

/// Open connections by address.
#[derive(Default)]
struct Open(Mutex<HashMap<IpAddr, usize>>);

/// A connection counted for its address, until it is dropped.
struct Place {
    open: Arc<Open>,
    address: IpAddr,
}

impl<A> Doorkeeper<A> {
    /// The limit before `inner`; `plain` means that `inner` does not encrypt.
    pub(crate) fn new(inner: A, plain: bool) -> Self {
        Self { inner, open: Arc::default(), plain }
    }
}

impl Open {
    /// A place for a connection from `address`, if it may have one more.
    fn place(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let address = counted_as(address);
        let most = if address.is_loopback() { OF_THIS_MACHINE } else { OF_ONE_ADDRESS };
        let mut open = self.0.lock();
        let count = open.entry(address).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Place { open: Arc::clone(self), address })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.open.0.lock();
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}

/// The address under which `address` is counted.
fn counted_as(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) if !v6.is_loopback() => Ipv6Addr::from_bits(v6.to_bits() & CUSTOMER).into(),
        other => other,
    }
}

impl<A, S> Accept<TcpStream, S> for Doorkeeper<A>
where
    A: Accept<TcpStream, S>,
    A::Future: Send + 'static,
{
    type Stream = Watched<A::Stream>;
    type Service = A::Service;
    type Future = Pin<Box<dyn Future<Output = io::Result<(Self::Stream, Self::Service)>> + Send>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let place = stream.peer_addr().map(|address| self.open.place(address.ip()));
        match place {
            Err(error) => Box::pin(async move { Err(error) }),
            Ok(None) => {
                let plain = self.plain;
                Box::pin(async move {
                    if plain {
                        // The caller may be gone.
                        let _ = timeout(PARTING, part(stream)).await;
                    }
                    Err(io::Error::other("too many connections of one address"))
                })
            }
            Ok(Some(place)) => {
                let accepted = self.inner.accept(stream, service);
                Box::pin(async move {
                    let (stream, service) = accepted.await?;
                    Ok((Watched { stream, first: First::new(), _place: place }, service))
                })
            }
        }
    }
}

/// Tells the caller that it has too many connections.
async fn part(mut stream: TcpStream) -> io::Result<()> {
    stream.write_all(&CROWDED).await?;
    stream.shutdown().await?;
    let mut unread = [0; 1024];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}

static CROWDED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let message = "this address has too many connections; close one and try again in a second";
    answer("429 Too Many Requests", "too_many_requests", message)
});

static LATE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let message =
        format!("the head of the request did not arrive within {} s; send it again", HEAD.as_secs());
    answer("408 Request Timeout", "request_timeout", &message)
});

/// An HTTP/1.1 answer before there is a request.
fn answer(status: &str, code: &str, message: &str) -> Vec<u8> {
    let body = json!({ "error": { "code": code, "message": message } }).to_string();
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nretry-after: 1\r\n\
         connection: close\r\n\r\n{body}"
    )
    .into_bytes()
}

/// A connection, and how much of its first request's head has come.
pub(crate) struct Watched<S> {
    stream: S,
    first: First,
    _place: Place,
}

/// The head of the first request of a connection.
enum First {
    /// Awaited until then, with the last four bytes received.
    Awaited(Pin<Box<Sleep>>, [u8; 4]),
    /// Too late; this much of the answer has been written.
    Late(usize),
    /// Needs nothing more: it is here, or the connection is at its end.
    Here,
    /// Will never be read.
    GivenUp,
}

impl First {
    fn new() -> Self {
        Self::Awaited(Box::pin(sleep(HEAD)), [0; 4])
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { stream, first, .. } = self.get_mut();
        let mut stream = Pin::new(stream);
        loop {
            match first {
                First::Here => return stream.poll_read(context, buffer),
                First::GivenUp => return Poll::Ready(Ok(())),
                First::Awaited(until, last) => {
                    if until.as_mut().poll(context).is_ready() {
                        *first = if *last == [0; 4] { First::GivenUp } else { First::Late(0) };
                        continue;
                    }
                    let before = buffer.filled().len();
                    ready!(stream.as_mut().poll_read(context, buffer))?;
                    let came = &buffer.filled()[before..];
                    let ends = came.iter().any(|byte| {
                        last.rotate_left(1);
                        last[3] = *byte;
                        *last == *b"\r\n\r\n" || last[2..] == *b"\n\n"
                    });
                    if ends || came.is_empty() {
                        *first = First::Here;
                    }
                    return Poll::Ready(Ok(()));
                }
                First::Late(written) => {
                    while let Some(rest) = LATE.get(*written..).filter(|rest| !rest.is_empty()) {
                        *written += ready!(stream.as_mut().poll_write(context, rest))?;
                    }
                    ready!(stream.as_mut().poll_flush(context))?;
                    *first = First::GivenUp;
                }
            }
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write_vectored(context, parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(open: &Arc<Open>, address: &str, asked: usize) -> Vec<Place> {
        let address = address.parse().unwrap();
        (0..asked).filter_map(|_| open.place(address)).collect()
    }

    #[test]
    fn an_address_has_so_many_connections_and_this_machine_more() {
        let open = Arc::new(Open::default());
        let first = places(&open, "192.0.2.1", OF_ONE_ADDRESS + 5);
        assert_eq!(first.len(), OF_ONE_ADDRESS);
        assert_eq!(places(&open, "192.0.2.2", 1).len(), 1, "another one has its own");
        drop(first);
        assert_eq!(places(&open, "::ffff:192.0.2.1", 1).len(), 1, "what is closed makes room");
        let network = places(&open, "2001:db8:0:1::1", OF_ONE_ADDRESS);
        assert_eq!(places(&open, "2001:db8:0:1:ffff::2", 1).len(), 0, "a customer has many addresses");
        assert_eq!(places(&open, "2001:db8:0:2::1", 1).len(), 1);
        drop(network);
        assert_eq!(places(&open, "127.0.0.1", OF_THIS_MACHINE + 5).len(), OF_THIS_MACHINE);
        assert!(open.0.lock().is_empty(), "nothing is kept of those that are closed");
    }
}
