//! A part of the standards as plain text, for readers without a window.

use super::page::StandardPage;
use crate::metric::{List, StandardMetric};

impl StandardPage {
    /// Everything that it asks for, with what is known about amendments: its words, its items, and each part of
    /// its metrics.
    pub fn text(&self) -> String {
        let mut out = format!("{} {}\n", self.id, self.label);
        for remark in self.remarks() {
            out.push_str(&format!("\n{remark}\n"));
        }
        if !self.prose.trim().is_empty() {
            out.push_str(&format!("\n{}\n", self.prose.trim()));
        }
        // A metric lists its items with its other parts.
        let is_metric = self.metrics.iter().any(|metric| metric.code == self.id);
        for item in self.items.iter().filter(|_| !is_metric) {
            let inside = self.nested.iter().filter(|inner| inner.id.starts_with(&format!("{}(", item.id)));
            for item in std::iter::once(item).chain(inside) {
                out.push_str(&format!("\n{} {}\n{}\n", item.id, item.label, item.prose.trim()));
            }
        }
        for metric in &self.metrics {
            if !is_metric {
                out.push_str(&format!("\n{} {}\n{}\n", metric.code, metric.label, metric.measured.text));
            }
            out.push_str(&parts(metric));
        }
        out
    }

    /// What is known about its editions and about changes under way, each with its name.
    pub fn remarks(&self) -> Vec<String> {
        let version = self.versions.iter().find(|version| self.editions == [version.edition]);
        let edition = version.map(|version| ("Edition", version.edition.described().to_owned()));
        let changed = version.and_then(|version| version.changed.clone());
        let open = version.and_then(|version| version.not_settled.clone());
        let named = [
            edition,
            self.amended.clone().map(|words| ("Amended December 2025", words)),
            changed.map(|words| ("Changed", words)),
            open.map(|words| ("Not settled", words)),
            self.pending.clone().map(|words| ("Pending change", words)),
        ];
        named.into_iter().flatten().map(|(name, words)| format!("{name}: {words}")).collect()
    }
}

/// The lists of a metric, each under its label.
fn parts(metric: &StandardMetric) -> String {
    let mut out = String::new();
    for list in List::ALL {
        let items = metric.list(list);
        if !items.is_empty() {
            out.push_str(&format!("\n{}:\n", list.label()));
        }
        items.iter().for_each(|item| out.push_str(&format!("- {}\n", item.text)));
    }
    if let Some(advice) = &metric.in_review {
        out.push_str(&format!("\nIn review: {advice}\n"));
    }
    out
}
