//! `bezzel report --against`, `bezzel run --sample` and `bezzel run --only` on small experiments that are run here.

mod compare;
mod only;
mod sample;
mod several;
mod workspace;
