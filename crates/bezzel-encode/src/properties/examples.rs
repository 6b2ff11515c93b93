//! The properties of encodings on the example instances of all kinds, for programs in which no kind has properties of its
//! own.

use bezzel_problem::{Instance, Problem};

use super::line::LineProfile;
use super::problem;
use super::{Property, PropertyFinding, PropertyViolation, WholeProperties};
use crate::encoding::Encoding;
use crate::registry::NamedEncoding;
use crate::settings::Settings;

/// [`Instance::examples`]: small instances of every kind, compared with the exhaustive search.
pub(crate) struct Examples;

/// A property: a check of the encoding on one problem.
type ProblemCheck = fn(&dyn Encoding, &Problem) -> Result<(), PropertyFinding>;

/// The properties in the order in which they are tried: a later one assumes the earlier ones.
const PROPERTIES: [(Property, ProblemCheck); 5] = [
    (Property::WellFormed, problem::well_formed),
    (Property::Determinism, problem::determinism),
    (Property::Size, problem::size),
    (Property::Layout, |encoding, tried| problem::layout(encoding, tried).map(drop)),
    (Property::Solutions, problem::solutions),
];

impl WholeProperties for Examples {
    fn problems(&self) -> Vec<Problem> {
        Instance::examples().iter().map(|instance| instance.problem()).collect()
    }

    fn violations(&self, encoding: &dyn Encoding) -> Vec<PropertyViolation> {
        let problems =
            Instance::examples().into_iter().map(|instance| (instance.problem(), instance));
        let problems: Vec<_> =
            problems.filter(|(problem, _)| encoding.fits(problem).is_ok()).collect();
        let mut found = Vec::new();
        for (property, check) in PROPERTIES {
            let violation = problems.iter().find_map(|(problem, instance)| {
                let fault = check(encoding, problem).err()?;
                let place = format!("{} {instance}", instance.title());
                Some(PropertyViolation::new(encoding.info().id, property, place, fault))
            });
            let Some(violation) = violation else { continue };
            found.push(violation);
            if [Property::WellFormed, Property::Layout].contains(&property) {
                break;
            }
        }
        found
    }

    fn verdicts(&self, found: &NamedEncoding) -> (String, bool) {
        let encoding = found.with_settings(Settings::default());
        let mut words = Vec::new();
        let mut is_right = true;
        if let NamedEncoding::AtMostOne(amo) = found {
            let line = LineProfile::of(&**amo);
            if let Some(wrong) = &line.correct.wrong {
                words.push(format!("WRONG: {}", wrong.what));
                is_right = false;
            }
            let finds = if line.is_complete() { "complete" } else { "incomplete" };
            words.push(format!("propagation on one line {finds}"));
        }
        if is_right {
            words.insert(0, "satisfies every property; computed: correct".to_owned());
        }
        let fitting = Instance::examples();
        let fitting = fitting.iter().filter(|instance| encoding.fits(&instance.problem()).is_ok());
        words.push(format!("example instances tried: {}", fitting.count()));
        (words.join("; "), is_right)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Registry;
    use crate::constraints::Unsupported;
    use crate::info::EncodingInfo;
    use crate::properties::check;
    use crate::sink::ClauseSink;
    use crate::size::Size;
    use crate::var_map::VarMap;

    /// An encoding that leaves out the last of its clauses, and states the size of all.
    struct Short(Arc<dyn Encoding>);

    impl Encoding for Short {
        fn info(&self) -> EncodingInfo {
            self.0.info()
        }

        fn fits(&self, problem: &Problem) -> Result<(), Unsupported> {
            self.0.fits(problem)
        }

        fn size(&self, _problem: &Problem) -> Option<Size> {
            None
        }

        fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
            let mut formula = crate::Formula::new();
            let map = self.0.rules(problem, &mut formula);
            out.fresh(formula.variables());
            let last = formula.len().saturating_sub(1);
            formula.clauses().take(last).for_each(|clause| out.clause(clause));
            map
        }
    }

    #[test]
    fn every_encoding_of_whole_problems_satisfies_the_properties_on_examples() {
        let registry = Registry::standard();
        for encoding in registry.whole_encodings() {
            assert_eq!(Examples.fits_some(&**encoding), Ok(()));
            assert_eq!(Examples.violations(&**encoding), []);
            let found = NamedEncoding::Whole(Arc::clone(encoding));
            let checked = check(&found, None, registry.properties()).unwrap();
            assert!(checked.is_right, "{}", checked.text);
        }
    }

    #[test]
    fn a_forgotten_clause_violates_a_property() {
        let registry = Registry::standard();
        for id in ["pairwise", "binary", "support"] {
            let encoding = Short(registry.find(id).unwrap().with_settings(Settings::default()));
            let violations = Examples.violations(&encoding);
            let properties: Vec<Property> =
                violations.iter().map(|violation| violation.property).collect();
            assert!(properties.contains(&Property::Solutions), "{id}: {violations:?}");
        }
    }
}
