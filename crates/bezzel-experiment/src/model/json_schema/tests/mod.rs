//! Helpers of the tests of schemas.

pub(crate) mod fits;
