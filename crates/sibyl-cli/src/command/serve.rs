//! `sibyl serve`.

use super::{End, Outcome};
use crate::arguments::{Common, Serve};
use crate::output::{say, tell};
use crate::session::Session;
use serde_json::Value;
use sibyl_api::command::Nothing;
use sibyl_api::command::settings::{SettingView, SettingsGet};
use sibyl_api::{ApiError, Scope};
use sibyl_server::{Interface, Options, Tls, Tokens};
use std::net::SocketAddr;

pub async fn serve(common: &Common, words: Serve) -> Outcome {
    if words.openapi {
        say(&format!("{:#}\n", sibyl_server::openapi()));
        return Ok(End::Done);
    }
    if let Some(scope) = words.new_token {
        let file = match words.token_file {
            Some(file) => file,
            None => Tokens::file_of(Session::open_as_it_is(common).await?.library.folder()),
        };
        say(&format!("{}\n", Tokens::make(&file, scope)?));
        return Ok(End::Done);
    }
    let interface = words.ui.then(interface).transpose()?;
    let session = Session::open_to_work(common).await?;
    let folder = session.library.folder();
    let (tokens, made) = match &words.token_file {
        Some(file) => (Tokens::of_file(file)?, None),
        None => Tokens::of_folder(folder)?,
    };
    if let Some(token) = made {
        tell(format_args!("The token for this server, shown only once: {token}"));
    }
    // A server answers at once and tells callers that documents are still being ingested.
    sibyl_api::door::first_start(&session.library, false).await?;
    let settings = session.call::<SettingsGet>(Nothing {}).await?;
    let set = |name: &str| SettingView::value_of(&settings, name);
    let port = words.port.or_else(|| u16::try_from(set("server_port")?.as_u64()?).ok());
    let port = port.ok_or_else(|| {
        ApiError::invalid(
            "the setting server_port must be a number from 1 to 65535; correct it with `sibyl settings server_port \
             8340`",
        )
    })?;
    let address = || set("server_address").and_then(Value::as_str).unwrap_or_default().to_owned();
    let host = words.host.unwrap_or_else(address);
    let allow = words.allow;
    let tls = words.tls_cert.zip(words.tls_key).map(|(certificate, key)| Tls { certificate, key });
    let encrypted = tls.is_some();
    let options = Options {
        host,
        port,
        tokens,
        allow,
        hosts: words.hosts,
        origins: words.origins,
        rate: words.rate,
        tls,
        workspace: common.workspace.clone(),
        documents: words.documents,
        report: words.report,
        interface,
    };
    let listening = |address: SocketAddr| {
        let scheme = if encrypted { "https" } else { "http" };
        tell(format_args!("Sibyl is listening on {scheme}://{address}"));
        if words.ui {
            tell(format_args!("Open {scheme}://{address} in a browser and sign in with a token"));
        }
        if !address.ip().is_loopback() {
            tell(format_args!("{}", exposed(allow, &common.workspace, encrypted)));
        }
    };
    sibyl_server::serve(session.library, options, listening, end()).await?;
    Ok(End::Done)
}

/// The built interface.
fn interface() -> Result<Interface, ApiError> {
    let folder = sibyl_api::door::interface().ok_or_else(|| {
        let cure = "run `npm ci` and `npm run build` in ui, or name the folder of a build in SIBYL_UI_DIR";
        ApiError::new("not_found", format!("the interface is not built: {cure}"))
    })?;
    Interface::of_folder(&folder)
}

/// What an address wider than the loopback exposes.
fn exposed(allow: Scope, workspace: &str, encrypted: bool) -> String {
    let may = match allow {
        Scope::Read => "search and read",
        Scope::Write => "search, read, change and delete",
        Scope::Spend => "search, read, change, delete and ingest",
    };
    let open = if encrypted {
        ""
    } else {
        " The connection is not encrypted: set a certificate (`--tls-cert`, `--tls-key`), or serve 127.0.0.1 only."
    };
    format!("Anyone who can reach this address and has a token can {may} in workspace `{workspace}`.{open}")
}

/// Returns when the program is to end.
async fn end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut asked) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = asked.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    // If no signal can be received, the program ends with its process.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
