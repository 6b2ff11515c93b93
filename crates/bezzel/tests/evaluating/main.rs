//! `bezzel compare`, `bezzel reproduce` and `bezzel artifact` on small experiments that are run here.

mod artifact;
mod compare;
mod place;
mod reproduce;
mod several;
