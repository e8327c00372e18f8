//! `sibyl serve` with a certificate: HTTPS, over HTTP/1.1 and HTTP/2.

use crate::text;
use h2::client::SendRequest;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::Server;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

fn file(name: &str) -> PathBuf {
    sibyl_tests::fixture("tls").join(name)
}

fn served(sibyl: &Sibyl) -> Server {
    let (certificate, key) = (file("server.pem"), file("server.key"));
    Server::start(sibyl, &["--tls-cert", text(&certificate), "--tls-key", text(&key)])
}

/// A client that trusts the authority of the fixtures.
fn client() -> rustls::ClientConfig {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(file("ca.pem")).unwrap()).unwrap();
    let provider = rustls::crypto::ring::default_provider();
    rustls::ClientConfig::builder_with_provider(provider.into())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth()
}

fn name() -> ServerName<'static> {
    ServerName::try_from("localhost").unwrap()
}

#[test]
fn a_certificate_makes_it_https() {
    let sibyl = Sibyl::with_words();
    let server = served(&sibyl);
    let connection = rustls::ClientConnection::new(client().into(), name()).unwrap();
    let stream = rustls::StreamOwned::new(connection, server.connect());
    let answer = server.exchange_over(stream, "GET", "/health", &[], b"");
    assert_eq!(answer.status, 200, "{}", answer.body);
    let key = file("server.key");
    let refused = sibyl.run(&["serve", "--port", "0", "--tls-cert", text(&key), "--tls-key", text(&key)]);
    assert_eq!(refused.code, 1, "{}", refused.err);
    assert!(refused.err.contains("cannot be used"), "{}", refused.err);
}

/// Sends a request on its own stream, and returns status and body.
async fn ask(
    client: &SendRequest<bytes::Bytes>,
    request: http::request::Builder,
    body: Option<&Value>,
) -> (u16, Value) {
    let mut client = client.clone().ready().await.unwrap();
    let request = request.body(()).unwrap();
    let (response, mut sending) = client.send_request(request, body.is_none()).unwrap();
    if let Some(body) = body {
        sending.send_data(body.to_string().into(), true).unwrap();
    }
    let (head, mut body) = response.await.unwrap().into_parts();
    let mut bytes = Vec::new();
    while let Some(data) = body.data().await {
        let data = data.unwrap();
        body.flow_control().release_capacity(data.len()).unwrap();
        bytes.extend_from_slice(&data);
    }
    (head.status.as_u16(), serde_json::from_slice(&bytes).unwrap())
}

#[tokio::test]
async fn http_2_is_agreed_on_and_its_requests_are_let_in_by_host_and_token() {
    let sibyl = Sibyl::with_words();
    let server = served(&sibyl);
    let mut config = client();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let stream = TcpStream::connect(&server.address).await.unwrap();
    let stream = TlsConnector::from(Arc::new(config)).connect(name(), stream).await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    let (client, connection) = h2::client::handshake(stream).await.unwrap();
    tokio::spawn(connection);

    let port = server.address.rsplit(':').next().unwrap();
    let to = |host: &str, path: &str| {
        http::Request::builder().version(http::Version::HTTP_2).uri(format!("https://{host}:{port}{path}"))
    };
    let token = format!("Bearer {}", server.token);
    let search = json!({ "query": "transition plan", "mode": "keyword" });
    let searching = || {
        to("localhost", "/api/v1/search")
            .method("POST")
            .header("authorization", &token)
            .header("content-type", "application/json")
    };
    // Several at once on the one connection.
    let ((status, well), (first, found), (second, again)) = tokio::join!(
        ask(&client, to("localhost", "/health"), None),
        ask(&client, searching(), Some(&search)),
        ask(&client, searching(), Some(&search)),
    );
    assert_eq!((status, well["version"].is_string()), (200, true), "{well}");
    assert_eq!((first, second), (200, 200), "{found} {again}");
    assert!(found["total_results"].as_u64() > Some(0) && found["results"] == again["results"], "{found}");

    for (request, status, code) in [
        (to("localhost", "/api/v1/jobs"), 401, "unauthorised"),
        (to("evil.example", "/health"), 403, "foreign_host"),
        (to("localhost", "/health").header("host", "evil.example"), 403, "foreign_host"),
        (to("evil.example", "/health").header("host", "localhost"), 403, "foreign_host"),
        (to("localhost", "/health").header("origin", "https://evil.example"), 403, "foreign_origin"),
    ] {
        let (answered, told) = ask(&client, request, None).await;
        assert_eq!((answered, &told["error"]["code"]), (status, &json!(code)), "{told}");
    }
    let own = format!("https://localhost:{port}");
    assert_eq!(ask(&client, to("localhost", "/health").header("origin", own), None).await.0, 200);
}
