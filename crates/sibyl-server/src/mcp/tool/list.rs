//! The tools, in the order in which agents read of them.

use super::super::{Agents, McpError};
use super::ask::Ask;
use super::assessment::{ListAssessments, ReadAssessment, ReadRequirement};
use super::paragraph::GetParagraph;
use super::proposal::{ListOpenItems, ProposeFinding};
use super::report::{FindFigures, ListReports};
use super::search::{RagLookup, SearchCompanyFiles, SearchLaws};
use super::{Answered, Tool};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};
use sibyl_api::ApiError;
use sibyl_api::schema::{strict_read, strict_written};
use std::pin::Pin;
use std::time::Instant;

/// What a call of a tool comes to.
type Called<'a> = Pin<Box<dyn Future<Output = Result<Answered<Value>, ApiError>> + Send + 'a>>;

/// A row of the list.
struct Entry {
    name: &'static str,
    described: fn(bool) -> Value,
    call: for<'a> fn(&'a Agents, Value, &'a RequestContext<RoleServer>) -> Called<'a>,
}

const TOOLS: [Entry; 12] = [
    entry::<RagLookup>(),
    entry::<SearchLaws>(),
    entry::<SearchCompanyFiles>(),
    entry::<GetParagraph>(),
    entry::<ListReports>(),
    entry::<FindFigures>(),
    entry::<ListAssessments>(),
    entry::<ReadAssessment>(),
    entry::<ReadRequirement>(),
    entry::<ListOpenItems>(),
    entry::<ProposeFinding>(),
    entry::<Ask>(),
];

const fn entry<T: Tool>() -> Entry {
    Entry { name: T::NAME, described: described::<T>, call: called::<T> }
}

/// What agents read of a tool. `open` says whether text of a call may go over the network.
fn described<T: Tool>(open: bool) -> Value {
    json!({
        "name": T::NAME,
        "description": T::described(),
        "inputSchema": strict_read::<T::Input>(),
        "outputSchema": strict_written::<T::Output>(),
        "annotations": {
            "readOnlyHint": T::READS, "destructiveHint": false, "idempotentHint": T::READS,
            "openWorldHint": open && T::REACHES_OUT,
        },
    })
}

fn called<'a, T: Tool>(
    agents: &'a Agents,
    arguments: Value,
    context: &'a RequestContext<RoleServer>,
) -> Called<'a> {
    Box::pin(async move {
        // A client that sends every field sends null for what it leaves open.
        let input = sibyl_api::read(without_nulls(arguments), "the arguments")?;
        let Answered { text, structured, searched, failed } = T::call(agents, input, context).await?;
        Ok(Answered { text, structured: without_nulls(json!(structured)), searched, failed })
    })
}

/// Describes every tool. `open` says whether text of a call may go over the network.
pub(in super::super) fn all(open: bool) -> Value {
    TOOLS.iter().map(|tool| (tool.described)(open)).collect()
}

/// Calls a tool. What goes wrong in it is an answer that the agent can read.
pub(in super::super) async fn call(
    agents: &Agents,
    name: &str,
    arguments: Value,
    context: &RequestContext<RoleServer>,
) -> Result<Value, McpError> {
    let begun = Instant::now();
    let unknown = || McpError::invalid_params(format!("there is no tool `{name}`"), None);
    let tool = TOOLS.iter().find(|tool| tool.name == name).ok_or_else(unknown)?;
    Ok(match (tool.call)(agents, arguments, context).await {
        Ok(Answered { text, structured, searched, failed }) => {
            let mut meta = json!({
                "tool": name,
                "executionTime": (begun.elapsed().as_secs_f64() * 1_000.0).round() as u64,
            });
            if let Some(searched) = searched {
                meta["chunksSearched"] = searched.into();
            }
            json!({
                "content": [{ "type": "text", "text": text.unwrap_or_else(|| structured.to_string()) }],
                "structuredContent": structured,
                "isError": failed,
                "_meta": meta,
            })
        }
        Err(error) => json!({
            "content": [{ "type": "text", "text": format!("{}: {}", error.code, error.message) }],
            "isError": true,
        }),
    })
}

/// `value` without the fields that are `null`.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let told = fields.into_iter().filter(|(_, field)| !field.is_null());
            Value::Object(told.map(|(name, field)| (name, without_nulls(field))).collect())
        }
        Value::Array(values) => values.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever strict clients refuse in `schema`, which stands at `path`.
    fn faults(schema: &Value, path: &str, out: &mut Vec<String>) {
        if !schema["type"].is_string() {
            out.push(format!("{path} has no single type"));
        }
        if schema["enum"].as_array().is_some_and(|all| all.iter().any(Value::is_null)) {
            out.push(format!("{path} may be null"));
        }
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let path = format!("{path}.{name}");
            if property["description"].as_str().is_none_or(str::is_empty) {
                out.push(format!("{path} is not described"));
            }
            faults(property, &path, out);
        }
        if let Some(items) = schema.get("items") {
            faults(items, &format!("{path}[]"), out);
        }
    }

    #[test]
    fn schemas_are_such_that_strict_clients_take_them() {
        let mut found = Vec::new();
        for tool in all(true).as_array().unwrap() {
            for side in ["inputSchema", "outputSchema"] {
                faults(&tool[side], &format!("{} {side}", tool["name"]), &mut found);
            }
        }
        assert_eq!(found, [""; 0]);
    }
}
