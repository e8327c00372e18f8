//! The interface in a browser: the files of its build, as they were when the server started.

use crate::reply::Operation;
use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use sibyl_api::ApiError;
use std::collections::HashMap;
use std::path::Path;

/// The page that a browser begins with.
const INDEX: &str = "/index.html";

/// What a page may load and send, as strict as in the window. `NONCE` is another one in each response.
const POLICY: &str = "default-src 'self'; script-src 'self' 'nonce-NONCE'; style-src 'self' 'nonce-NONCE'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; \
    frame-ancestors 'none'; form-action 'none'";

/// Elements of the page that the policy admits by their nonce.
const ADMITTED: [&str; 3] = ["<script", "<style", "<link rel=\"stylesheet\""];

/// What files of a build are, by the ending of their names.
const KINDS: [(&str, &str); 8] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("json", "application/json"),
    ("woff2", "font/woff2"),
    ("woff", "font/woff"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
];

/// The files of a build, by their paths in an address. Any other file does not exist.
pub struct Interface(HashMap<String, (&'static str, Bytes)>);

impl Interface {
    /// Reads the build in `folder`.
    ///
    /// # Errors
    /// `io` if it cannot be read, `invalid` if it has no interface.
    pub fn of_folder(folder: &Path) -> Result<Self, ApiError> {
        let mut files = HashMap::new();
        collect(folder, "", &mut files).map_err(|error| {
            ApiError::new("io", format!("the interface in {} cannot be read: {error}", folder.display()))
        })?;
        if !files.contains_key(INDEX) {
            let message =
                format!("{} contains no built interface; run `npm run build` in ui", folder.display());
            return Err(ApiError::invalid(message));
        }
        Ok(Self(files))
    }
}

fn collect(
    folder: &Path,
    below: &str,
    files: &mut HashMap<String, (&'static str, Bytes)>,
) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = format!("{below}/{name}");
        // A link may lead out of the folder.
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(&entry.path(), &path, files)?;
        } else if kind.is_file()
            && let Some((_, ending)) = name.rsplit_once('.')
            && let Some((_, kind)) = KINDS.iter().find(|(known, _)| *known == ending)
        {
            files.insert(path, (*kind, Bytes::from(std::fs::read(entry.path())?)));
        }
    }
    Ok(())
}

/// The file of `interface` at `path`, if there is one.
pub(crate) fn file(interface: &Interface, method: &Method, path: &str) -> Option<Response> {
    let Interface(files) = interface;
    if method != Method::GET && method != Method::HEAD {
        return None;
    }
    let path = if path == "/" { INDEX } else { path };
    let (kind, bytes) = files.get(path)?;
    let mut response = Response::new(Body::empty());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    if path == INDEX {
        let nonce = nonce()?;
        headers.insert(
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_str(&POLICY.replace("NONCE", &nonce)).ok()?,
        );
        *response.body_mut() = Body::from(admitted(&String::from_utf8_lossy(bytes), &nonce));
    } else {
        // Their names change with what is in them.
        headers
            .insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
        *response.body_mut() = Body::from(bytes.clone());
    }
    *response.status_mut() = StatusCode::OK;
    response.extensions_mut().insert(Operation("interface"));
    Some(response)
}

/// The page `html` with `nonce` at each element that the policy asks it of.
fn admitted(html: &str, nonce: &str) -> String {
    ADMITTED
        .iter()
        .fold(html.to_owned(), |html, element| html.replace(element, &format!("{element} nonce=\"{nonce}\"")))
}

/// Random hex digits; `None` if the system has no random bytes, and then there is no page.
fn nonce() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(format!("{:032x}", u128::from_le_bytes(bytes)))
}
