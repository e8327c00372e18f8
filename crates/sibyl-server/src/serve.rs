//! Listening, and ending in good order.

use crate::router::router;
use crate::served::{Options, Served};
use sibyl_api::{ApiError, Library};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// How long requests that are under way may take to end once the server is to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// Serves `library` until `end` comes back. `listening` is told the address. Streams end at once; other requests that
/// are under way get ten seconds. Jobs stay as they are: whoever opens the library next goes on with them.
///
/// # Errors
/// `io` where the address cannot be listened at, `invalid` where it is none.
pub async fn serve(
    library: Library,
    options: Options,
    listening: impl FnOnce(SocketAddr),
    end: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ApiError> {
    let (host, port) = (options.host.clone(), options.port);
    let address: IpAddr = host.trim_matches(['[', ']']).parse().map_err(|_| {
        ApiError::invalid(format!(
            "`{host}` is no address; 127.0.0.1 serves this machine, 0.0.0.0 every network"
        ))
    })?;
    let unserved = |error: std::io::Error| ApiError::new("io", format!("{address} port {port}: {error}"));
    let listener = TcpListener::bind((address, port)).await.map_err(unserved)?;
    listening(listener.local_addr().map_err(unserved)?);
    let (close, closing) = watch::channel(false);
    let router = router(Arc::new(Served::new(library, options, closing.clone())));
    let ending = async move {
        end.await;
        // Whoever listens ends with it.
        let _ = close.send(true);
    };
    let serving = axum::serve(listener, router).with_graceful_shutdown(ending);
    let mut closing = closing;
    let late = async move {
        let _ = closing.wait_for(|closing| *closing).await;
        tokio::time::sleep(PATIENCE).await;
    };
    tokio::select! {
        served = serving => served.map_err(unserved),
        () = late => Ok(()),
    }
}
