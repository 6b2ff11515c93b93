//! What tests of schemas share.

pub(crate) mod fits;
