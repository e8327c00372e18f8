//! Prompts for a review.

use super::Agents;
use serde_json::{Value, json};
use sibyl_api::ApiError;
use sibyl_api::command::standards::{StandardId, StandardsPage};
use sibyl_api::source_type::field::PILLAR;
use sibyl_api::source_type::{self, Permission, SourceType, Standard};

/// Their descriptions.
pub(super) fn all() -> Value {
    json!({ "prompts": [
        {
            "name": "review_paragraph",
            "title": "Review one paragraph",
            "description": "Test a report against one paragraph of the standards.",
            "arguments": [
                { "name": "paragraph_id", "description": "Such as S2.14(a)(iv)", "required": true },
                { "name": "report_id", "description": "The report, as list_reports names it", "required": true },
            ],
        },
        {
            "name": "review_report",
            "title": "Review one report",
            "description": "Test a report against a standard, paragraph by paragraph.",
            "arguments": [
                { "name": "report_id", "description": "The report, as list_reports names it", "required": true },
                { "name": "standard", "description": format!("{}; all if omitted", shorts()), "required": false },
            ],
        },
    ]})
}

/// Standards with paragraphs that a reviewer decides on.
fn reviewed() -> impl Iterator<Item = (&'static SourceType, &'static Standard)> {
    source_type::standards()
        .filter(|(kind, standard)| kind.allows(Permission::Review) && !standard.has_topics())
}

/// Their short names, as a choice.
fn shorts() -> String {
    reviewed().map(|(_, standard)| standard.short).collect::<Vec<_>>().join(" or ")
}

const FINDING: &str = "Say for it one of: met, partly met, gap, not applicable. Quote the passages that show it, each \
with its page. Where nothing is found, say that nothing was found; never fill in from what you know.";

/// The prompt called `name`.
pub(super) async fn get(agents: &Agents, name: &str, arguments: &Value) -> Result<Value, ApiError> {
    let given = |name: &str| {
        let text = arguments[name].as_str().map(str::trim).filter(|text| !text.is_empty());
        text.ok_or_else(|| ApiError::invalid(format!("the argument `{name}` is missing")))
    };
    let (description, text) = match name {
        "review_paragraph" => {
            let id = given("paragraph_id")?;
            let title = title(agents, given("report_id")?).await?;
            let page = agents.run::<StandardsPage>(StandardId { id: id.to_owned(), edition: None }).await?;
            let asks = page.text();
            let text = format!(
                "Review the report {title} against {id}.\n\nWhat the standard asks for:\n\n{asks}\n\
                 Search the report with search_company_files, with several wordings. {FINDING}"
            );
            (format!("{title} against {id}"), text)
        }
        "review_report" => {
            let title = title(agents, given("report_id")?).await?;
            let asked = arguments["standard"].as_str().map_or("", str::trim);
            let (kinds, standards): (Vec<&SourceType>, Vec<&Standard>) =
                reviewed().filter(|(_, standard)| asked.is_empty() || standard.short == asked).unzip();
            if standards.is_empty() {
                return Err(ApiError::invalid(format!("`standard` is {}, not `{asked}`", shorts())));
            }
            let standard = standards.iter().map(|one| one.body).collect::<Vec<_>>().join(" and ");
            let order = if kinds.iter().all(|kind| kind.lists(&PILLAR)) {
                "pillar by pillar: governance, strategy, risk management, metrics and targets"
            } else {
                "part by part"
            };
            let text = format!(
                "Review the report {title} against {standard}, {order}. Fetch each required paragraph with \
                 get_paragraph and search the report for it with search_company_files. {FINDING} End with a \
                 table of the paragraphs and findings."
            );
            (format!("{title} against {standard}"), text)
        }
        _ => return Err(ApiError::invalid(format!("there is no prompt `{name}`"))),
    };
    Ok(json!({
        "description": description,
        "messages": [{ "role": "user", "content": { "type": "text", "text": text } }],
    }))
}

/// How the report is called, with its id.
async fn title(agents: &Agents, report: &str) -> Result<String, ApiError> {
    let seen = agents.reports().await?;
    let found = seen.iter().find(|known| known.report_id.as_deref() == Some(report));
    let found = found.ok_or_else(|| {
        ApiError::new("not_found", format!("report `{report}` does not exist; list_reports names them"))
    })?;
    Ok(format!("\"{}\" (report_id {report})", found.title))
}
