//! The answers, right and wrong.

use crate::{Behaviour, Shared};
use serde_json::{Value, json};

/// The reply: status, additional headers, body.
pub(crate) struct Answer {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
}

impl Answer {
    fn new(status: u16, body: impl Into<String>) -> Self {
        Self { status, headers: Vec::new(), body: body.into() }
    }

    fn error(status: u16, message: &str) -> Self {
        Self::new(status, json!({"error": {"message": message, "code": status}}).to_string())
    }
}

/// What a request asks for.
pub(crate) struct Asked<'a> {
    pub path: &'a str,
    pub authorization: Option<&'a str>,
    pub body: &'a Value,
    pub texts: &'a [String],
}

pub(crate) fn answer(asked: &Asked<'_>, behaviour: &Behaviour, shared: &Shared) -> Answer {
    let options = &shared.options;
    match behaviour {
        Behaviour::Status(status) => return Answer::error(*status, &format!("made to fail with {status}")),
        Behaviour::TooMany { retry_after } => {
            let mut answer = Answer::error(429, "rate limit exceeded");
            answer.headers.extend(retry_after.clone().map(|value| ("Retry-After", value)));
            return answer;
        }
        Behaviour::EchoKey => {
            let key = asked.authorization.unwrap_or("no key");
            return Answer::error(401, &format!("incorrect key provided: {key}"));
        }
        Behaviour::ErrorInBody(code) => {
            let body = json!({"error": {"message": "the model's host failed", "code": code}});
            return Answer::new(200, body.to_string());
        }
        Behaviour::Redirect(url) => {
            let mut answer = Answer::new(307, "");
            answer.headers.push(("Location", url.clone()));
            return answer;
        }
        Behaviour::NotJson => return Answer::new(200, "<html><body>Welcome to this hotspot</body></html>"),
        _ => {}
    }
    if let Some(key) = &options.key
        && asked.authorization != Some(&format!("Bearer {key}"))
    {
        return Answer::error(401, "no auth credentials found");
    }
    if asked.path.ends_with("/models") {
        return models(behaviour);
    }
    if asked.texts.is_empty() || asked.texts.len() > options.most_texts {
        let message = format!("expected 1 to {} texts, got {}", options.most_texts, asked.texts.len());
        return Answer::error(400, &message);
    }
    let refused = shared.refused.lock();
    let unwanted = |text: &&String| refused.iter().any(|words| text.contains(words));
    if let Some(text) = asked.texts.iter().find(unwanted) {
        let tokens = text.chars().count().div_ceil(4);
        let message = format!("This model's maximum context length is 8192 tokens, yours took {tokens}");
        return Answer::error(400, &message);
    }
    match asked.path.rsplit('/').next() {
        Some("embeddings") => embeddings(asked, behaviour, options.dimensions),
        Some("rerank") => rerank(asked, behaviour),
        // Its answer is streamed.
        Some("completions") => Answer::new(200, ""),
        _ => Answer::error(404, &format!("{} is not served here", asked.path)),
    }
}

/// The models of OpenRouter's list, with prices in dollars a token; or of a list in the form of OpenAI, without any.
fn models(behaviour: &Behaviour) -> Answer {
    let plain = |id: &str| json!({ "id": id, "object": "model", "owned_by": "loopback" });
    if *behaviour == Behaviour::PlainModels {
        let data = [plain("writer-large"), plain("writer-small")];
        return Answer::new(200, json!({ "object": "list", "data": data }).to_string());
    }
    let model = |id: &str, name: &str, gives: &str, prompt: &str, completion: &str| {
        json!({
            "id": id, "name": name, "context_length": 128_000,
            "architecture": { "input_modalities": ["text"], "output_modalities": [gives] },
            "pricing": { "prompt": prompt, "completion": completion, "request": "0" },
        })
    };
    let data = [
        model("loopback/writer", "Loopback: Writer", "text", "0.0000004", "0.0000016"),
        model("loopback/free", "Loopback: Free", "text", "0", "0"),
        model("loopback/auto", "Loopback: Auto", "text", "-1", "-1"),
        model("loopback/painter", "Loopback: Painter", "image", "0.00001", "0.00004"),
    ];
    Answer::new(200, json!({ "data": data }).to_string())
}

fn embeddings(asked: &Asked<'_>, behaviour: &Behaviour, dimensions: usize) -> Answer {
    let dimensions = if *behaviour == Behaviour::ShortVectors { dimensions - 1 } else { dimensions };
    let number = |x: f32| if *behaviour == Behaviour::Zeros { "0.0".to_owned() } else { x.to_string() };
    let mut data: Vec<String> = asked
        .texts
        .iter()
        .enumerate()
        .map(|(index, text)| {
            let mut numbers: Vec<String> = vector(text, dimensions).into_iter().map(number).collect();
            if *behaviour == Behaviour::OtherModel {
                numbers.reverse();
            }
            match behaviour {
                Behaviour::NotANumber => numbers[0] = "NaN".to_owned(),
                Behaviour::Infinite => numbers[0] = "1e39".to_owned(),
                _ => {}
            }
            let index = if *behaviour == Behaviour::SameIndex { 0 } else { index };
            format!(r#"{{"object":"embedding","index":{index},"embedding":[{}]}}"#, numbers.join(","))
        })
        .collect();
    spoil(&mut data, behaviour);
    let tokens: usize = asked.texts.iter().map(|text| text.chars().count().div_ceil(4)).sum();
    let other = json!("another/model");
    let model = if *behaviour == Behaviour::OtherModel { &other } else { &asked.body["model"] };
    let body = format!(
        r#"{{"object":"list","data":[{}],"model":{model},"usage":{{"prompt_tokens":{tokens},"total_tokens":{tokens}}}}}"#,
        data.join(",")
    );
    Answer::new(200, body)
}

fn rerank(asked: &Asked<'_>, behaviour: &Behaviour) -> Answer {
    const DIMENSIONS: usize = 512;
    let query = vector(asked.body["query"].as_str().unwrap_or_default(), DIMENSIONS);
    let relevance = |text: &String| {
        let other = vector(text, DIMENSIONS);
        query.iter().zip(other).map(|(a, b)| a * b).sum::<f32>().clamp(0.0, 1.0)
    };
    let mut scores: Vec<(usize, f32)> = asked.texts.iter().map(relevance).enumerate().collect();
    scores.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scores.truncate(asked.body["top_n"].as_u64().map_or(usize::MAX, |n| n as usize));
    let mut results: Vec<String> = scores
        .into_iter()
        .map(|(index, score)| {
            let index = if *behaviour == Behaviour::SameIndex { 0 } else { index };
            let score = match behaviour {
                Behaviour::NotANumber => "NaN".to_owned(),
                Behaviour::Infinite => "1e39".to_owned(),
                Behaviour::Zeros => "0.0".to_owned(),
                _ => score.to_string(),
            };
            format!(r#"{{"index":{index},"relevance_score":{score}}}"#)
        })
        .collect();
    spoil(&mut results, behaviour);
    Answer::new(200, format!(r#"{{"id":"loopback","results":[{}]}}"#, results.join(",")))
}

fn spoil(items: &mut Vec<String>, behaviour: &Behaviour) {
    match behaviour {
        Behaviour::TooFew => {
            items.pop();
        }
        Behaviour::Shuffled => items.reverse(),
        _ => {}
    }
}

pub(crate) fn vector(text: &str, dimensions: usize) -> Vec<f32> {
    let mut vector = vec![0.0_f32; dimensions];
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        // FNV-1a of the word in lower case, continued once for each of its places.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in word.to_lowercase().bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        for place in 0..3_u64 {
            hash = (hash ^ place).wrapping_mul(0x0100_0000_01b3);
            let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
            vector[(hash >> 20) as usize % dimensions] += sign;
        }
    }
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
    vector
}
