//! Error codes as HTTP statuses.

use axum::http::StatusCode;
use sibyl_api::ApiError;

/// Codes by status. Whatever is not named concerns a file or text that was sent: 422.
const STATUSES: &[(StatusCode, &[&str])] = &[
    (
        StatusCode::BAD_REQUEST,
        &[
            "cancelled",
            "invalid",
            "nothing_to_ingest",
            "out_of_range",
            "query_syntax",
            "setting",
            "unfit_path",
            "unknown_choice",
            "unknown_space",
        ],
    ),
    (StatusCode::UNAUTHORIZED, &["unauthorised"]),
    (StatusCode::FORBIDDEN, &["forbidden", "foreign_host", "foreign_origin", "remote_not_allowed"]),
    (StatusCode::NOT_FOUND, &["not_found", "unknown_command", "no_page_image"]),
    (StatusCode::METHOD_NOT_ALLOWED, &["method_not_allowed"]),
    (
        StatusCode::CONFLICT,
        &[
            "chat_not_set_up",
            "exists",
            "folder_away",
            "job_at_work",
            "job_ended",
            "moved",
            "no_vectors",
            "nothing_to_retry",
            "remote_off",
            "rerank_not_set_up",
            "shared_corpus",
        ],
    ),
    (StatusCode::REQUEST_TIMEOUT, &["request_timeout"]),
    (StatusCode::PAYLOAD_TOO_LARGE, &["too_large"]),
    (StatusCode::URI_TOO_LONG, &["address_too_long"]),
    (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, &["headers_too_large"]),
    (StatusCode::UNSUPPORTED_MEDIA_TYPE, &["media_type"]),
    (StatusCode::TOO_MANY_REQUESTS, &["too_many_requests"]),
    (StatusCode::INTERNAL_SERVER_ERROR, INNER),
    (
        StatusCode::BAD_GATEWAY,
        &[
            "chat_cut",
            "chat_empty",
            "chat_endless",
            "chat_failed",
            "chat_silent",
            "chat_too_long",
            "chat_unauthorised",
            "chat_unreachable",
            "chat_unreadable",
            "embedding_bad_answer",
            "embedding_provider",
            "embedding_refused",
            "embedding_unauthorised",
            "embedding_unreachable",
            "rerank_bad_answer",
            "rerank_provider",
            "rerank_unauthorised",
        ],
    ),
    (StatusCode::SERVICE_UNAVAILABLE, &["busy", "closed", "embedding_no_key", "rerank_no_key"]),
];

/// Codes of internal errors. Their messages may name folders and libraries: they go to the log, not to the caller.
const INNER: &[&str] = &[
    "bad_copy",
    "damaged",
    "embedding_model",
    "internal",
    "io",
    "keychain",
    "newer_library",
    "not_a_library",
    "page_not_drawn",
    "reader_crashed",
    "reader_not_started",
    "storage",
];

/// The status of an error with `code`.
pub(crate) fn status_of(code: &str) -> StatusCode {
    let named = STATUSES.iter().find(|(_, codes)| codes.contains(&code));
    named.map_or(StatusCode::UNPROCESSABLE_ENTITY, |(status, _)| *status)
}

/// `error` as others may read it.
pub(crate) fn outward(error: ApiError, request_id: &str) -> ApiError {
    if !INNER.contains(&error.code.as_str()) {
        return error;
    }
    tracing::error!(code = error.code, request_id, "{}", error.message);
    if error.code == "damaged" {
        let message = format!(
            "the library of this server is damaged; its owner can save what can be read with `sibyl rescue`, or restore a \
             backup with `sibyl backup restore` (request id {request_id})"
        );
        return ApiError::new(&error.code, message);
    }
    let message = format!("the server failed; its log names the cause under the request id {request_id}");
    ApiError::new(&error.code, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_one_status_and_inner_detail_stays_inside() {
        let mut all: Vec<&str> = STATUSES.iter().flat_map(|(_, codes)| codes.iter().copied()).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert_eq!(status_of("not_found"), StatusCode::NOT_FOUND);
        assert_eq!(status_of("encrypted"), StatusCode::UNPROCESSABLE_ENTITY);
        let inner = outward(ApiError::new("io", "/home/ada/library.sibyl: no room"), "r-1");
        assert_eq!(inner.code, "io");
        assert!(!inner.message.contains("/home") && inner.message.contains("r-1"), "{inner}");
        let damaged = outward(ApiError::new("damaged", "/home/ada/library.sibyl: page 7 is bad"), "r-1");
        assert!(damaged.message.contains("sibyl rescue") && !damaged.message.contains("/home"), "{damaged}");
        let told = outward(ApiError::invalid("`top_k` is 0"), "r-1");
        assert_eq!(told.message, "`top_k` is 0");
    }
}
