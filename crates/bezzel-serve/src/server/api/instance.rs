//! `GET /api/instance`: the candidates of a Latin square or a colouring that unit propagation of an encoding decides.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use bezzel_solve::Interrupt;
use serde::Serialize;

use crate::knowledge::instance_view::{InstanceView, instance_view};
use crate::question::instance::InstanceQuestion;
use crate::server::refusal::{Refusal, json};
use crate::server::shared::Shared;

#[derive(Serialize)]
struct Answer {
    name: String,
    edges: Vec<(u32, u32)>,
    #[serde(flatten)]
    view: InstanceView,
}

pub(super) async fn instance(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
) -> Result<Response, Refusal> {
    let InstanceQuestion { name, problem, edges, encoding } =
        InstanceQuestion::read(uri.query().unwrap_or_default())?;
    let encoding = crate::knowledge::encoding_of_problem(&shared.encodings, &encoding, &problem)?;
    let work = move |_: &Interrupt| instance_view(&problem, &*encoding);
    let view = shared.large.run(work).await?;
    Ok(json(&Answer { name, edges, view }))
}
