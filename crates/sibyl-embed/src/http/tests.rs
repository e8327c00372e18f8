use super::{ApiKey, Endpoint, retry_after};
use reqwest::header::{HeaderMap, HeaderValue};
use std::time::{Duration, SystemTime};

#[test]
fn a_key_is_never_shown() {
    let key = ApiKey::new("  sk-or-v1-secret\n").unwrap();
    assert_eq!(key.bearer(), HeaderValue::from_static("Bearer sk-or-v1-secret"));
    for shown in [
        format!("{key}"),
        format!("{key:?}"),
        format!("{:?}", key.bearer()),
        key.redact("no sk-or-v1-secret!"),
    ] {
        assert!(!shown.contains("secret"), "{shown}");
    }
    assert_eq!([ApiKey::new(" "), ApiKey::new("a\nb")], [None, None]);
}

#[test]
fn a_wait_is_seconds_or_a_date() {
    let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:30 GMT").unwrap();
    for (value, wait) in [
        ("3", Some(3.0)),
        (" 0.5 ", Some(0.5)),
        ("Sun, 06 Nov 1994 08:49:37 GMT", Some(7.0)),
        ("Sun, 06 Nov 1994 08:49:00 GMT", None),
        ("-1", None),
        ("NaN", None),
        ("soon", None),
    ] {
        let headers = HeaderMap::from_iter([(super::RETRY_AFTER, HeaderValue::from_static(value))]);
        assert_eq!(retry_after(&headers, now), wait.map(Duration::from_secs_f64), "{value}");
    }
    assert_eq!(retry_after(&HeaderMap::new(), SystemTime::now()), None);
}

#[test]
fn a_base_url_is_checked_when_it_is_set() {
    for (url, base) in [
        ("https://openrouter.ai/api/v1/", "https://openrouter.ai/api/v1"),
        (" http://localhost:11434/v1 ", "http://localhost:11434/v1"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ] {
        assert_eq!(Endpoint::new(url, None).unwrap().base(), base);
    }
    for url in [
        "",
        "openrouter.ai",
        "ftp://example.org",
        "http://example.org/v1",
        "http://192.168.1.5:11434/v1",
        "http://localhost.example.org/v1",
        "https://secret@example.org/v1",
        "https://example.org/v1?key=secret",
    ] {
        let refused = Endpoint::new(url, None).err().unwrap();
        assert_eq!(refused.code(), "invalid");
        assert!(!refused.to_string().contains("secret"), "{refused}");
    }
}

#[test]
fn a_key_is_struck_from_whatever_a_provider_says() {
    let key = ApiKey::new("sk/secret").unwrap();
    let endpoint = Endpoint::new("https://example.org/v1", Some(key)).unwrap();
    let padding = " ".repeat(4_090);
    for answer in [
        r#""no such key: sk/secret""#.to_owned(),
        r#"{"data": "sk/secret"}"#.to_owned(),
        r#"{"data": "sk\/secret"}"#.to_owned(),
        "sk/secret is wrong".to_owned(),
        format!("{padding}sk/secret"),
    ] {
        let failure = endpoint.read::<Answer>(answer.as_bytes()).unwrap_err();
        let told = format!("{failure:?}");
        assert!(!told.contains("secret") && !told.contains("sk"), "{told}");
    }
}

#[derive(Debug, serde::Deserialize)]
struct Answer {
    #[allow(dead_code)] // Read by serde alone.
    data: u32,
}
