//! One run of the program: the open library and calls of the command list.

use crate::arguments::Common;
use crate::output::tell;
use crate::progress::Working;
use sibyl_api::command::ingest::{JobId, JobPause};
use sibyl_api::{ApiError, Call, Command, DEFAULT_WORKSPACE, Door, Library, Location, ProgressListener};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;

/// The open library and how its answers are shown.
pub struct Session {
    pub library: Library,
    pub common: Common,
}

impl Session {
    /// Opens the library and, the first time, ingests what ships.
    pub async fn open(common: &Common) -> Result<Self, ApiError> {
        let session = Self::open_as_it_is(common).await?;
        if let Some(job) = sibyl_api::door::first_start(&session.library, false).await? {
            tell(format_args!("First start: making the shipped standards searchable."));
            session.follow(DEFAULT_WORKSPACE, job).await?;
        }
        Ok(session)
    }

    /// Opens the library without a first start.
    pub async fn open_as_it_is(common: &Common) -> Result<Self, ApiError> {
        Self::open_with(common, false).await
    }

    /// Opens the library without a first start, for a program that stays and takes over waiting jobs.
    pub async fn open_to_work(common: &Common) -> Result<Self, ApiError> {
        Self::open_with(common, true).await
    }

    async fn open_with(common: &Common, works: bool) -> Result<Self, ApiError> {
        let place = place(common)?;
        let library = sibyl_api::door::open(place, works).await?;
        for warning in sibyl_api::door::warnings(&library).await? {
            tell(format_args!("Warning: {warning}"));
        }
        Ok(Self { library, common: common.clone() })
    }

    /// Runs command `C` of the list.
    pub async fn call<C: Command>(&self, input: C::Input) -> Result<C::Output, ApiError> {
        self.call_with::<C>(input, None).await
    }

    /// Runs command `C` of the list, which reports to `progress` how far it has come.
    pub async fn call_with<C: Command>(
        &self,
        input: C::Input,
        progress: Option<ProgressListener>,
    ) -> Result<C::Output, ApiError> {
        self.call_in::<C>(&self.common.workspace, input, progress).await
    }

    /// Runs command `C` of the list in `workspace`.
    async fn call_in<C: Command>(
        &self,
        workspace: &str,
        input: C::Input,
        progress: Option<ProgressListener>,
    ) -> Result<C::Output, ApiError> {
        let (workspace, request_id) = (workspace.to_owned(), self.common.request_id.clone());
        let call = Call { library: self.library.clone(), door: Door::Local, workspace, request_id, progress };
        call.run::<C>(input).await
    }

    /// Follows a job of `workspace` until it comes to rest. Ctrl-C pauses it, so that it can be resumed.
    pub async fn follow(&self, workspace: &str, job: i64) -> Result<(), ApiError> {
        let mut events = sibyl_api::door::follow(&self.library, workspace, job).await?;
        let mut shown = Working::default();
        // One listener from the first event on, so that a Ctrl-C while an event is shown is not lost.
        let mut interrupted = pin!(tokio::signal::ctrl_c());
        loop {
            tokio::select! {
                biased;
                _ = &mut interrupted => {
                    self.call_in::<JobPause>(workspace, JobId { id: job }, None).await?;
                    // The job comes to rest once the work in flight is stored; a second Ctrl-C does not wait for
                    // that.
                    tokio::select! {
                        () = async { while events.recv().await.is_some() {} } => {}
                        _ = tokio::signal::ctrl_c() => {}
                    }
                    shown.finish();
                    let cure = format!("stopped; everything stored is kept. `sibyl jobs resume {job}` continues");
                    return Err(ApiError::new("interrupted", cure));
                }
                event = events.recv() => match event {
                    Some(event) => shown.show(&event),
                    None => break,
                },
            }
        }
        shown.finish();
        Ok(())
    }
}

/// Where the library is.
///
/// # Errors
/// As [`sibyl_api::door::place`].
pub fn place(common: &Common) -> Result<Arc<dyn Location>, ApiError> {
    sibyl_api::door::place(common.data_dir.clone(), default_folder)
}

/// The system's place for application data.
fn default_folder() -> Result<PathBuf, ApiError> {
    let home = || std::env::var_os("HOME").map(PathBuf::from);
    let folder = if cfg!(windows) {
        std::env::var_os("APPDATA").map(PathBuf::from)
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else {
        let named = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        named.or_else(|| home().map(|home| home.join(".local/share")))
    };
    // The identifier of the desktop program, so that both open the same library.
    folder.map(|folder| folder.join("org.sibyl.desktop")).ok_or_else(|| {
        ApiError::new("no_data_folder", "no home folder is set; name a data folder with --data-dir")
    })
}
