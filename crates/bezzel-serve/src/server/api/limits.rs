//! `GET /api/limits`: the limits of questions.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde_json::json;

use crate::server::refusal::json;
use crate::server::shared::Shared;

pub(super) async fn limits(State(shared): State<Arc<Shared>>) -> Response {
    let limits = &shared.limits;
    json(&json!({
        "sizes": [limits.sides.least, limits.sides.max],
        "compiled": limits.compilable,
        "encodings": shared.listed,
        "seconds": limits.time.as_secs_f64(),
        "nodes": limits.nodes,
        "reports": shared.reports.is_some(),
    }))
}
