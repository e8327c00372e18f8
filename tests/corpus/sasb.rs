//! Every industry, topic, metric and activity metric with its code, unit and category, as in the facts.

use crate::explained;
use crate::facts;
use std::collections::BTreeMap;

#[test]
fn every_industry_topic_and_metric_is_there_in_order() {
    let texts: BTreeMap<String, String> = explained::files()
        .into_iter()
        .filter_map(|(_, text)| {
            let code = text.lines().find_map(|line| line.strip_prefix("standard_code: "))?.to_owned();
            Some((code, text.split_whitespace().collect::<Vec<_>>().join(" ")))
        })
        .collect();
    let facts = facts::load("sasb_industries.json");
    let industries = facts["industries"].as_array().unwrap();
    assert_eq!((texts.len(), industries.len()), (77, 77));
    let (mut topics, mut metrics, mut activities) = (0, 0, 0);
    for industry in industries {
        let code = facts::text(&industry["code"]);
        let text = &texts[&code];
        let mut at = 0;
        let mut next = |wanted: String| {
            at += text[at..]
                .find(&wanted)
                .unwrap_or_else(|| panic!("{code}: `{wanted}` is not where it belongs"));
        };
        next(format!("industry: \"{}\"", facts::text(&industry["industry"])));
        next(format!("sector: \"{}\"", facts::text(&industry["sector"])));
        next(format!("version: \"{}\"", facts::text(&industry["version"])));
        next(format!("in_s2_industry_guidance: {}", industry["in_s2_industry_guidance"]));
        next(format!("# {} ({code})", facts::text(&industry["industry"])));
        if let Some(change) = industry["pending_change"].as_str() {
            next(format!("*Pending change:* {change}."));
        }
        let metric = |metric: &serde_json::Value| {
            let [code, category, unit] =
                ["code", "category", "unit"].map(|field| facts::text(&metric[field]));
            format!("- **{code}** *({category}; unit: {unit})* **")
        };
        for topic in industry["disclosure_topics"].as_array().unwrap() {
            topics += 1;
            next(format!("## {} ({})", facts::text(&topic["topic"]), facts::text(&topic["code"])));
            let guidance = topic["climate_in_s2_guidance"].as_bool().unwrap();
            next(if guidance { "includes this topic." } else { "does not include this topic." }.to_owned());
            for row in topic["metrics"].as_array().unwrap() {
                metrics += 1;
                next(metric(row));
            }
        }
        next(format!("## Activity metrics ({code}-000)"));
        for row in industry["activity_metrics"].as_array().unwrap() {
            activities += 1;
            next(metric(row));
        }
    }
    assert_eq!((topics, metrics, activities), (448, 982, 217));
}

#[test]
fn every_metric_has_a_label_of_its_own_in_its_industry() {
    for (name, text) in explained::files() {
        let metrics =
            explained::explanations(&text).into_iter().filter(|(id, _)| id.contains('-') && id.contains('.'));
        let mut labels: BTreeMap<String, String> = BTreeMap::new();
        for (code, explanation) in metrics {
            assert!(!explanation.label.is_empty() && !explanation.label.contains('*'), "{name}: {code}");
            if let Some(other) = labels.insert(explanation.label.clone(), code.clone()) {
                panic!("{name}: {code} and {other}: {}", explanation.label);
            }
        }
    }
}

#[test]
fn no_code_is_there_that_the_facts_do_not_have() {
    let facts = facts::load("sasb_industries.json").to_string();
    for (name, text) in explained::files() {
        for (id, _) in explained::explanations(&text).into_iter().filter(|(id, _)| id.as_bytes()[2] == b'-') {
            let known = facts.contains(&format!("\"{id}\"")) || id.ends_with("-000");
            assert!(known, "{name}: {id}");
        }
    }
}
