//! Packs: written, signed, checked and imported.

use super::super::{End, Outcome, print};
use super::QUOTE;
use crate::arguments::AssessKeyCommand;
use crate::output::{one_line, table};
use crate::session::Session;
use serde::Serialize;
use sibyl_api::command::Nothing;
use sibyl_api::command::assess::{
    self as list, KeyRequest, PackRequest, PackText, SignRequest, SignatureQuery,
};
use sibyl_api::{ApiError, KeyOrigin, Pack, PackCheck, SignatureCheck, SignatureState};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Extensions of packs for people, in which quotations are not compared.
const FORMS_TO_READ: [&str; 4] = ["pdf", "docx", "xlsx", "html"];

pub(super) async fn export(
    session: &Session,
    asked: PackRequest,
    out: Option<PathBuf>,
    sign: bool,
) -> Outcome {
    let pack = session.call::<list::AssessExport>(asked).await?;
    let path = out.unwrap_or_else(|| PathBuf::from(&pack.name));
    // Signed before anything is written, so that no pack exists without the requested signature.
    let signed = match sign {
        true => {
            let content = pack.content.clone();
            Some(session.call::<list::AssessSign>(SignRequest { content }).await?)
        }
        false => None,
    };
    let bytes = pack.bytes()?;
    let beside = beside(&path);
    match &signed {
        Some(signed) => write(&beside, signed.signature.as_bytes())?,
        // The signature of the former file would say that this one was changed.
        None => drop_former(&beside)?,
    }
    write(&path, &bytes)?;
    let bytes = bytes.len();
    let signed = signed.map(|signed| Signed { signature: beside, public_key: signed.public_key });
    print(&session.common, &Written { path, bytes, signed }, |Written { path, signed, .. }| {
        let mut words = format!("{} is written.\n", path.display());
        if let Some(Signed { signature, public_key }) = signed {
            words += &format!("{} is its signature, made with the key {public_key}.\n", signature.display());
        }
        words
    })
}

/// A pack that was written.
#[derive(Serialize)]
struct Written {
    path: PathBuf,
    bytes: usize,
    #[serde(flatten)]
    signed: Option<Signed>,
}

/// The file with the signature of a pack, and the key that made it.
#[derive(Serialize)]
struct Signed {
    signature: PathBuf,
    public_key: String,
}

pub(super) async fn key(session: &Session, command: AssessKeyCommand) -> Outcome {
    match command {
        AssessKeyCommand::New { replace } => {
            let made = session.call::<list::AssessKeyNew>(KeyRequest { replace }).await?;
            print(&session.common, &made, |made| {
                format!(
                    "The key is saved. Publish its public half so that others can check your packs:\n{}\n",
                    made.public_key
                )
            })
        }
        AssessKeyCommand::Show => {
            let known = session.call::<list::AssessKey>(Nothing {}).await?;
            print(&session.common, &known, |known| match known {
                Some(known) => format!("{}\n", known.public_key),
                None => "There is no signing key; make one with `sibyl assess key new`.\n".to_owned(),
            })
        }
    }
}

/// Deletes the signature of a former file.
fn drop_former(signature: &Path) -> Result<(), ApiError> {
    match std::fs::remove_file(signature) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(ApiError::invalid(format!(
            "{}, the signature of a former file, cannot be deleted: {error}; delete it, or name another place with --out",
            signature.display()
        ))),
        _ => Ok(()),
    }
}

/// Path of the signature for the file at `path`.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".minisig");
    PathBuf::from(name)
}

/// Writes a file completely or not at all, even if the program is killed meanwhile.
fn write(path: &Path, bytes: &[u8]) -> Result<(), ApiError> {
    let refused = |error: std::io::Error| {
        ApiError::invalid(format!(
            "{} cannot be written: {error}; name another place with --out",
            path.display()
        ))
    };
    // A device or a pipe is written to; no other file can replace it.
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        return std::fs::write(path, bytes).map_err(refused);
    }
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let whole = || {
        let mut file = std::fs::File::create(&part)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&part, path)
    };
    whole().map_err(|error| {
        // The unfinished file is of no use; if it cannot be deleted either, the next export overwrites it.
        let _left = std::fs::remove_file(&part);
        refused(error)
    })
}

fn pack_at(path: &Path) -> Result<String, ApiError> {
    std::fs::read_to_string(path).map_err(|error| {
        ApiError::invalid(format!("{} cannot be read: {error}; name a pack exported as JSON", path.display()))
    })
}

pub(super) async fn import(session: &Session, path: &Path) -> Outcome {
    let pack = pack_at(path)?;
    let done = session.call::<list::AssessImport>(PackText { pack }).await?;
    print(&session.common, &done, |done| {
        let mut out = String::new();
        for report in &done.missing {
            out += &format!("{report} is not in the library; ingest it and import the pack again.\n");
        }
        if done.assessment > 0 {
            let made = if done.made { " (new)" } else { "" };
            let taken = if done.taken == 1 { "1 decision" } else { &format!("{} decisions", done.taken) };
            out += &format!("Assessment {}{made}: {taken} imported", done.assessment);
            out += &format!(", {} already here, {} in conflict.\n", done.same, done.conflicts.len());
        }
        let rows = done.conflicts.iter().map(|one| {
            let said =
                |status: &str, note: &str| one_line(&format!("{} {note}", status.replace('_', " ")), QUOTE);
            vec![
                one.report_id.clone(),
                one.requirement.clone(),
                said(one.here.name(), &one.here_note),
                said(one.there.name(), &one.there_note),
            ]
        });
        if !done.conflicts.is_empty() {
            out += &table(&["report", "requirement", "here (kept)", "in the pack"], &[], rows);
        }
        out
    })?;
    Ok(if done.missing.is_empty() && done.conflicts.is_empty() { End::Done } else { End::Failed })
}

pub(super) async fn verify(session: &Session, path: &Path, key: Option<String>) -> Outcome {
    let signature = signature(session, path, key).await?;
    let extension = path.extension().and_then(|name| name.to_str()).unwrap_or_default().to_lowercase();
    let to_read = FORMS_TO_READ.contains(&extension.as_str()) || (extension != "json" && signature.is_some());
    let check = match to_read {
        true => None,
        false => Some(session.call::<list::AssessVerify>(PackText { pack: pack_at(path)? }).await?),
    };
    let verified = Verified { check, signature };
    print(&session.common, &verified, |Verified { check, signature }| {
        let mut out = signature.as_ref().map_or_else(|| "Not signed.\n".to_owned(), signed);
        match check {
            Some(check) => out += &agreed(check),
            None if signature.is_some() => {
                out += "Only the signature was checked. Quotations are checked only in JSON packs.\n";
            }
            None => out += "Quotations are checked only in JSON packs.\n",
        }
        out
    })?;
    let Verified { check, signature } = verified;
    let checked = check.is_some() || signature.is_some();
    let sound = checked && signature.is_none_or(|signature| signature.state == SignatureState::Matches);
    Ok(if sound && check.is_none_or(|check| check.agrees) { End::Done } else { End::Failed })
}

/// What was checked of a pack.
#[derive(Serialize)]
struct Verified {
    #[serde(flatten)]
    check: Option<PackCheck>,
    signature: Option<SignatureCheck>,
}

/// The check of the signature beside the file at `path`; `None` if there is none.
async fn signature(
    session: &Session,
    path: &Path,
    key: Option<String>,
) -> Result<Option<SignatureCheck>, ApiError> {
    let beside = beside(path);
    let unread = |path: &Path, error: std::io::Error| {
        ApiError::invalid(format!(
            "{} cannot be read: {error}; check whether you may read it",
            path.display()
        ))
    };
    let text = match std::fs::read_to_string(&beside) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && key.is_none() => return Ok(None),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let told = format!(
                "not signed: there is no {}; ask for the signature, or leave out --key",
                beside.display()
            );
            return Err(ApiError::invalid(told));
        }
        Err(error) => return Err(unread(&beside, error)),
    };
    let file = std::fs::read(path).map_err(|error| unread(path, error))?;
    let input = SignatureQuery { content: Pack::encoded(&file), signature: text, key };
    Ok(Some(session.call::<list::AssessSignature>(input).await?))
}

/// What the check of a signature found, in words.
fn signed(check: &SignatureCheck) -> String {
    let key = check.public_key.as_deref().unwrap_or_default();
    match (check.state, check.origin) {
        (SignatureState::Matches, Some(KeyOrigin::Own)) => format!("Signed with your own key {key}.\n"),
        (SignatureState::Matches, Some(KeyOrigin::Given)) => format!("Signed with the key {key}.\n"),
        (SignatureState::Matches, _) => format!(
            "Signed with the key {key}, as the signature states. Compare it with the key that its owner publishes.\n"
        ),
        (SignatureState::Changed, _) => {
            "The signature does not match: the file was changed after it was signed.\n".to_owned()
        }
        (SignatureState::OtherKey, _) => {
            format!("Signed with another key, number {}, not with {key}.\n", check.key_id)
        }
        (SignatureState::UnknownKey, _) => {
            format!("Signed with an unknown key, number {}; give its public key with --key.\n", check.key_id)
        }
    }
}

/// What the check of a pack in JSON found, in words.
fn agreed(check: &PackCheck) -> String {
    if check.agrees {
        return format!("{} files, quotations and decisions agree.\n", check.checked);
    }
    let faults = check
        .faults
        .iter()
        .map(|fault| vec![fault.report_id.clone(), fault.requirement.clone(), one_line(&fault.what, QUOTE)]);
    table(&["report", "requirement", "what differs"], &[], faults)
}
