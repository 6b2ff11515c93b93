//! `bezzel compare`, `bezzel run --sample` and `bezzel artifact` on small experiments that are run here.

mod artifact;
mod compare;
mod sample;
mod several;
mod workspace;
