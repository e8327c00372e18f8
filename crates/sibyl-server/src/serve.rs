//! Listening, and ending in good order.

use crate::connection::{Doorkeeper, bounded};
use crate::openapi;
use crate::router::router;
use crate::served::{Options, Served, Tls};
use axum_server::Handle;
use axum_server::tls_rustls::{RustlsConfig, from_tcp_rustls};
use sibyl_api::{ApiError, Library};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// Time limit for current requests once the server is to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// Serves `library` until `end` comes back. `listening` gets the address. Streams end at once; other requests that
/// are under way get ten seconds. Jobs stay as they are: the next program that opens the library continues them.
///
/// # Errors
/// `io` if the server cannot listen at the address or read the certificate, `invalid` if the address is not valid.
pub async fn serve(
    library: Library,
    options: Options,
    listening: impl FnOnce(SocketAddr),
    end: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ApiError> {
    let (host, port) = (options.host.clone(), options.port);
    let address: IpAddr = host.trim_matches(['[', ']']).parse().map_err(|_| {
        ApiError::invalid(format!(
            "`{host}` is not an IP address; use 127.0.0.1 for this machine only or 0.0.0.0 for every network"
        ))
    })?;
    let tls = match &options.tls {
        None => None,
        Some(tls) => Some(certified(tls).await?),
    };
    let unserved = |error: std::io::Error| ApiError::new("io", format!("{address} port {port}: {error}"));
    let listener = TcpListener::bind((address, port)).map_err(unserved)?;
    listening(listener.local_addr().map_err(unserved)?);
    let (close, closing) = watch::channel(false);
    let state = Arc::new(Served::new(library, options, openapi::schemas(), closing));
    let service = router(state.clone()).into_make_service();
    let handle = Handle::new();
    let ending = handle.clone();
    tokio::spawn(async move {
        end.await;
        // The listeners end with it.
        let _ = close.send(true);
        ending.graceful_shutdown(Some(PATIENCE));
    });
    let served = match tls {
        None => {
            let server = axum_server::from_tcp(listener).map_err(unserved)?.handle(handle);
            bounded(server.map(|inner| Doorkeeper::new(inner, true))).serve(service).await
        }
        Some(tls) => {
            let server = from_tcp_rustls(listener, tls).map_err(unserved)?.handle(handle);
            bounded(server.map(|inner| Doorkeeper::new(inner, false))).serve(service).await
        }
    };
    // What had arrived of answers on their way is kept before the program ends.
    state.streams.end().await;
    state.library.answer().settled().await;
    served.map_err(unserved)
}

async fn certified(tls: &Tls) -> Result<RustlsConfig, ApiError> {
    let Tls { certificate, key } = tls;
    RustlsConfig::from_pem_file(certificate, key).await.map_err(|error| {
        let (certificate, key) = (certificate.display(), key.display());
        ApiError::new(
            "io",
            format!("the certificate {certificate} with the key {key} cannot be used: {error}"),
        )
    })
}
