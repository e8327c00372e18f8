//! How many cells a pack counts, and which of them it includes.

use super::data::{PackCells, PackContents, PackCount, PackData};
use crate::store::table::review::ReviewStatus;

impl PackCount {
    /// Cells with `status`.
    pub const fn of(&self, status: ReviewStatus) -> usize {
        match status {
            ReviewStatus::Open => self.open,
            ReviewStatus::Met => self.met,
            ReviewStatus::Partly => self.partly,
            ReviewStatus::Gap => self.gap,
            ReviewStatus::NotApplicable => self.not_applicable,
        }
    }

    const fn add(&mut self, status: ReviewStatus) {
        *match status {
            ReviewStatus::Open => &mut self.open,
            ReviewStatus::Met => &mut self.met,
            ReviewStatus::Partly => &mut self.partly,
            ReviewStatus::Gap => &mut self.gap,
            ReviewStatus::NotApplicable => &mut self.not_applicable,
        } += 1;
    }
}

impl PackData {
    /// The same with only the cells that `only` names, each counted before any is left out.
    pub fn only(mut self, only: PackCells) -> Self {
        for one in &self.requirements {
            for cell in &one.cells {
                let same = |count: &PackCount| {
                    (count.standard.as_str(), count.heading.as_str(), count.report_id.as_str())
                        == (one.standard.as_str(), one.heading.as_str(), cell.report_id.as_str())
                };
                let at = self.counts.iter().position(same).unwrap_or_else(|| {
                    self.counts.push(PackCount {
                        standard: one.standard.clone(),
                        heading: one.heading.clone(),
                        report_id: cell.report_id.clone(),
                        ..PackCount::default()
                    });
                    self.counts.len() - 1
                });
                self.counts[at].add(cell.status);
            }
        }
        let cells = self.requirements.iter().map(|one| one.cells.len()).sum();
        self.contents = PackContents { only, requirements: self.requirements.len(), cells };
        let open = match only {
            PackCells::All => return self,
            PackCells::Decided => false,
            PackCells::Open => true,
        };
        for one in &mut self.requirements {
            one.cells.retain(|cell| (cell.status == ReviewStatus::Open) == open);
        }
        self.requirements.retain(|one| !one.cells.is_empty());
        self
    }

    /// Number of cells in the scope with `status`.
    pub fn count(&self, status: ReviewStatus, holds: impl Fn(&PackCount) -> bool) -> usize {
        self.counts.iter().filter(|count| holds(count)).map(|count| count.of(status)).sum()
    }

    /// Cells that are in the pack.
    pub fn shown(&self) -> usize {
        self.requirements.iter().map(|one| one.cells.len()).sum()
    }
}
