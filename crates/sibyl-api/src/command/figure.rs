//! Figures that documents report.

use crate::command::Call;
use sibyl_engine::figure::{FigureList, FigureQuery};

command! {
    /// Numbers that documents report, in tables, sentences, key figures and tags. Each has its place and says what
    /// it is a number of: names of row and column, year, unit and status.
    FigureFind = "figure.list": Query, Read, ["documents", "chunks"],
        remote Get "/api/v1/figures";
    (call, input: FigureQuery) -> FigureList {
        let Call { library, workspace, .. } = &call;
        Ok(library.contents().figures(workspace, input).await?)
    }
}
