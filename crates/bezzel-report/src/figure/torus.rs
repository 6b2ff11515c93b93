//! `times-torus`: solve time against the side of the board, on the torus.
//!
//! Apart from the plane, because the torus of most sides has no solution, and times to a solution
//! and to a refutation are not to be joined by lines.

use bezzel_encode::Geometry;

use super::FigureKind;
use super::times::chart;

pub(super) const KIND: FigureKind = FigureKind {
    id: "times-torus",
    title: "Solve time against the side of the board, on the torus",
    shows: "median CPU time of solving with its quartiles, on the torus",
    draw: |material| chart(material, &KIND, Geometry::Torus),
};
