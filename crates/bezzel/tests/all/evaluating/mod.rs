//! `bezzel compare`, `bezzel run --sample`, `bezzel run --only` and `bezzel artifact` on small experiments that are run
//! here.

mod artifact;
mod compare;
mod only;
mod sample;
mod several;
mod workspace;
