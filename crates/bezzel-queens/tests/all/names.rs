//! Names: families, mixtures and cut-offs, and texts that are no names.

use std::sync::Arc;

use bezzel_encode::amo::Family;
use bezzel_encode::amo::cutoff::Cutoff;
use bezzel_encode::amo::pairwise::Pairwise;
use bezzel_encode::amo::product::Product;
use bezzel_encode::{
    AtMostOne, ClauseSink, Constraints, EncodingInfo, FormulaStats, Lit, Registry, Size, properties,
};
use bezzel_queens::encode::properties::board as board_properties;
use bezzel_queens::register;
use bezzel_queens::{Board, Geometry};

/// Pairwise under many names.
struct Numbered(u32);

impl AtMostOne for Numbered {
    fn info(&self) -> EncodingInfo {
        EncodingInfo { id: format!("numbered:{}", self.0), ..Pairwise.info() }
    }

    fn size(&self, n: u64) -> Option<Size> {
        Pairwise.size(n)
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        Pairwise.encode(xs, out);
    }
}

fn numbered() -> Registry {
    register(Registry::standard()).with_family(Family {
        name: "numbered",
        parameter: "number",
        range: 2..=50,
        listed: &[3, 4],
        make: |number| vec![Arc::new(Numbered(number))],
    })
}

#[test]
fn a_family_lists_some_numbers_and_is_found_under_all_of_them() {
    let registry = numbered();
    let listed = registry.infos().into_iter().map(|info| info.id);
    let listed: Vec<_> = listed.filter(|id| id.starts_with("numbered")).collect();
    assert_eq!(listed, ["numbered:3", "numbered:4"]);
    for id in ["numbered:2", "numbered:3", "numbered:50"] {
        assert_eq!(registry.find(id).unwrap().info().id, id);
    }
    for id in ["numbered:1", "numbered:51", "numbered", "numbered:", "numbered:x", "numbered:-3"] {
        let error = registry.find(id).err().unwrap().to_string();
        assert_eq!(error, format!("`{id}`: the number is 2 to 50, as in `numbered:3`"));
    }
    let error = registry.find("numbered:7+flat").err().unwrap();
    assert_eq!(error.near(), None);
    assert_eq!(error.to_string(), "unknown encoding `numbered:7+flat`; there is only `numbered:7`");
}

#[test]
fn the_id_of_a_mixture_finds_it_again() {
    let registry = register(Registry::standard());
    let names = [
        "{rows: sequential-counter, columns: pairwise, diagonals: product}",
        "{rows: product, columns: product, diagonals: pairwise, antidiagonals: bitwise}",
        "{short: pairwise, long: product, at: 7}",
        "{rows: {short: pairwise, long: bitwise, at: 10}, columns: pairwise, diagonals: pairwise}",
    ];
    for name in names {
        let info = registry.find(name).unwrap().info();
        assert_eq!(info.id, name);
        let spaced = name.replace(": ", " :  ").replace(", ", ",");
        assert_eq!(registry.find(&spaced).unwrap().info(), info);
    }
    let one = "{rows: sinz, columns: sinz, diagonals: sinz}";
    assert_eq!(registry.find(one).unwrap().info().id, "sequential-counter", "no mixture at all");
}

#[test]
fn a_cut_off_is_one_encoding_below_its_length_and_the_other_from_it_on() {
    let (short, long) = (Arc::new(Pairwise), Arc::new(Product::Plain));
    let cutoff = Cutoff { short, long, at: 9 };
    for n in 0..30 {
        let expected = if n < 9 { Pairwise.size(n) } else { Product::Plain.size(n) };
        assert_eq!(cutoff.size(n), expected, "n = {n}");
    }
    assert_eq!(properties::at_most_one::check(&cutoff), Ok(()));
}

#[test]
fn mixtures_have_the_properties_of_boards() {
    let registry = register(Registry::standard());
    for name in [
        "{rows: sequential-counter, columns: pairwise, diagonals: product}",
        "{rows: {short: pairwise, long: bitwise, at: 5}, columns: product, diagonals: pairwise, antidiagonals: bitwise}",
        "{short: bitwise, long: sequential-counter, at: 4}",
    ] {
        let found = registry.find(name).unwrap();
        for constraints in Constraints::ALL {
            assert_eq!(
                board_properties::check(&*found.with_settings(constraints)),
                Ok(()),
                "{name}"
            );
        }
    }
}

#[test]
fn a_mixture_encodes_each_family_by_its_own() {
    let registry = register(Registry::standard());
    let name =
        "{rows: sequential-counter, columns: pairwise, diagonals: product, antidiagonals: bitwise}";
    let parts = ["sequential-counter", "pairwise", "product", "bitwise"];
    for geometry in [Geometry::Plane, Geometry::Torus] {
        let board = Board::new(12).unwrap().with_geometry(geometry);
        let sections = |name: &str| {
            let mut stats = FormulaStats::new();
            registry
                .find(name)
                .unwrap()
                .with_settings(Constraints::Full)
                .encode(&board.problem(), &mut stats);
            stats.into_sections()
        };
        for (family, (part, mixed)) in parts.iter().zip(sections(name)).enumerate() {
            assert_eq!(mixed, sections(part)[family], "{part}");
        }
    }
}
