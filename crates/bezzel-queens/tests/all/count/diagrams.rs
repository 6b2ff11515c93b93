//! Diagrams of random functions, compared with their truth tables.

use std::sync::atomic::AtomicBool;

use bezzel_count::diagram::{Builder, Counts, Decoder, Diagram, DiagramKind, Ref};
use bezzel_count::{Budget, Halt};
use bezzel_encode::{FormulaStats, Registry, Var, VarMap};
use bezzel_queens::{Board, Placement};
use num_bigint::BigUint;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// A function of some variables: the value for each assignment, whose bits are the variables, the
/// most significant bit first.
struct Function {
    variables: usize,
    values: Vec<bool>,
}

impl Function {
    fn random(variables: usize, random: &mut ChaCha8Rng) -> Self {
        // Few and many models, and some variables that do not matter or must be false.
        let chance = random.random_range(0..=8);
        let (ignored, suppressed): (usize, usize) = (random.random_range(0..1 << variables), 0);
        let suppressed = suppressed | random.random_range(0..1 << variables) & !ignored;
        let mut values: Vec<bool> =
            (0..1 << variables).map(|_| random.random_range(0..9) < chance).collect();
        for assignment in 0..1 << variables {
            let relevant: usize = assignment & !ignored;
            values[assignment] = values[relevant] && relevant & suppressed & (suppressed >> 1) == 0;
        }
        Self { variables, values }
    }

    /// The assignments that are models, in the order that diagrams have them.
    fn models(&self) -> Vec<usize> {
        (0..self.values.len()).rev().filter(|&assignment| self.values[assignment]).collect()
    }

    /// The order is any: the variable of level i is number 3i + 1.
    fn order(&self) -> Vec<Var> {
        (0..self.variables).map(|level| Var::new(3 * level as u32 + 1)).collect()
    }

    fn diagram(&self, kind: DiagramKind) -> Diagram {
        let mut builder = Builder::new(kind, self.order(), Budget::unlimited(&GO_ON));
        let root = build(&mut builder, 0, &self.values).unwrap();
        builder.finish(root)
    }

    /// The number of nodes of the reduced diagram on each level: the different restrictions of the function that depend
    /// on the level's variable in the sense of its kind.
    fn nodes_per_level(&self, kind: DiagramKind) -> Vec<usize> {
        let needed = |part: &&[bool]| {
            let (low, high) = part.split_at(part.len() / 2);
            match kind {
                DiagramKind::Bdd => low != high,
                DiagramKind::Zdd => high.contains(&true),
            }
        };
        let level = |level: usize| {
            let parts = self.values.chunks(1 << (self.variables - level));
            let mut parts: Vec<_> = parts.filter(needed).collect();
            parts.sort_unstable();
            parts.dedup();
            parts.len()
        };
        (0..self.variables).map(level).collect()
    }

    fn of_model(&self, model: &[Var]) -> usize {
        let order = self.order();
        let level = |var| order.iter().position(|&other| other == var).unwrap();
        model.iter().map(|&var| 1 << (self.variables - 1 - level(var))).sum()
    }
}

fn build(builder: &mut Builder, level: usize, values: &[bool]) -> Result<Ref, Halt> {
    if let &[value] = values {
        return Ok(if value { Ref::TRUE } else { Ref::FALSE });
    }
    let (low, high) = values.split_at(values.len() / 2);
    let (low, high) = (build(builder, level + 1, low)?, build(builder, level + 1, high)?);
    builder.node(level, low, high)
}

fn functions() -> impl Iterator<Item = (Function, DiagramKind)> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    (0..300).map(move |case| {
        let kind = [DiagramKind::Bdd, DiagramKind::Zdd][case % 2];
        (Function::random(case % 8, &mut random), kind)
    })
}

fn all_models(diagram: &Diagram) -> Vec<Vec<Var>> {
    let mut models = diagram.models();
    let mut all = Vec::new();
    while let Some(model) = models.next_model() {
        all.push(model.to_vec());
    }
    assert_eq!(models.next_model(), None, "it stays at its end");
    all
}

#[test]
fn a_diagram_has_exactly_the_models_of_its_function_in_order() {
    for (function, kind) in functions() {
        let diagram = function.diagram(kind);
        let models: Vec<_> =
            all_models(&diagram).iter().map(|model| function.of_model(model)).collect();
        assert_eq!(models, function.models(), "{kind:?}");
        assert_eq!(diagram.count(), BigUint::from(models.len()), "{kind:?}");
        assert_eq!(diagram.is_satisfiable(), !models.is_empty());
        for (assignment, &value) in function.values.iter().enumerate() {
            let holds = |var: Var| assignment >> (function.variables - 1 - var.idx() / 3) & 1 == 1;
            assert_eq!(diagram.is_model(holds), value, "{kind:?} {assignment:b}");
        }
    }
}

#[test]
fn a_diagram_is_reduced() {
    for (function, kind) in functions() {
        let diagram = function.diagram(kind);
        let nodes = function.nodes_per_level(kind);
        assert_eq!(diagram.nodes_per_level(), nodes, "{kind:?}");
        assert_eq!(diagram.nodes(), nodes.iter().sum::<usize>());
    }
}

#[test]
fn the_kth_model_is_that_of_the_iteration() {
    for (function, kind) in functions() {
        let diagram = function.diagram(kind);
        let counts = diagram.counts();
        let models = all_models(&diagram);
        for (k, model) in models.iter().enumerate() {
            assert_eq!(counts.kth(&BigUint::from(k)).as_ref(), Some(model), "{kind:?} {k}");
        }
        assert_eq!(counts.kth(&BigUint::from(models.len())), None);
        let mut random = ChaCha8Rng::seed_from_u64(3);
        match counts.random(&mut random) {
            Some(model) => assert!(models.contains(&model)),
            None => assert!(models.is_empty()),
        }
    }
}

#[test]
fn each_variable_is_true_in_as_many_models_as_are_listed_with_it() {
    for (function, kind) in functions() {
        let diagram = function.diagram(kind);
        let (models, marginals) = (all_models(&diagram), diagram.marginals());
        assert_eq!(marginals.total, BigUint::from(models.len()), "{kind:?}");
        for (var, each) in diagram.order().iter().zip(marginals.each) {
            let with = models.iter().filter(|model| model.contains(var)).count();
            assert_eq!(each, BigUint::from(with), "{kind:?}");
        }
    }
}

#[test]
fn marginals_that_pass_a_word_are_exact() {
    for variables in [63, 64, 65, 127, 128, 129, 200] {
        let order = (0..variables).map(Var::new).collect();
        let mut builder = Builder::new(DiagramKind::Bdd, order, Budget::unlimited(&GO_ON));
        // One variable must be true, all others are free.
        let root = builder.node(7, Ref::FALSE, Ref::TRUE).unwrap();
        let marginals = builder.finish(root).marginals();
        let total = BigUint::from(1_u8) << (variables - 1);
        assert_eq!(marginals.total, total, "{variables}");
        for (level, each) in marginals.each.iter().enumerate() {
            let expected = if level == 7 { &total } else { &(&total >> 1_u8) };
            assert_eq!(each, expected, "{variables}: {level}");
        }
    }
}

/// A diagram without nodes, of which every assignment is a model.
fn always(variables: u32) -> Diagram {
    let order = (0..variables).map(Var::new).collect();
    Builder::new(DiagramKind::Bdd, order, Budget::unlimited(&GO_ON)).finish(Ref::TRUE)
}

#[test]
fn counts_of_any_size_are_exact() {
    // Around the ends of 64 and 128 bits.
    for variables in [0, 1, 63, 64, 65, 127, 128, 129, 1000] {
        let diagram = always(variables);
        let total = BigUint::from(1_u8) << variables;
        assert_eq!(diagram.count(), total);
        let counts = diagram.counts();
        let last = counts.kth(&(&total - 1_u8));
        assert_eq!(last, Some(Vec::new()), "nothing is true in the last of {variables}");
        assert_eq!(counts.kth(&BigUint::ZERO).map(|first| first.len()), Some(variables as usize));
        assert_eq!(counts.kth(&total), None);
    }
}

#[test]
fn no_node_is_kept_that_the_root_does_not_lead_to() {
    let order: Vec<_> = (0..4).map(Var::new).collect();
    for kind in [DiagramKind::Bdd, DiagramKind::Zdd] {
        let mut builder = Builder::new(kind, order.clone(), Budget::unlimited(&GO_ON));
        let unused = builder.node(3, Ref::TRUE, Ref::FALSE).unwrap();
        builder.node(0, unused, Ref::TRUE).unwrap();
        let lower = builder.node(3, Ref::FALSE, Ref::TRUE).unwrap();
        let root = builder.node(1, Ref::FALSE, lower).unwrap();
        builder.node(0, root, lower).unwrap();
        let diagram = builder.finish(root);
        assert_eq!(diagram.nodes_per_level(), [0, 1, 0, 1]);
        assert!(diagram.is_model(|var| [1, 3].contains(&var.idx())));
        assert!(!diagram.is_model(|var| var.idx() == 1));
    }
}

#[test]
fn a_builder_keeps_to_its_budget() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let function = Function { variables: 14, values: Vec::new() };
    let values: Vec<bool> = (0..1 << 14).map(|_| random.random()).collect();
    let build = |budget| {
        let mut builder = Builder::new(DiagramKind::Bdd, function.order(), budget);
        let root = build(&mut builder, 0, &values)?;
        assert!(builder.peak_bytes() <= budget.bytes);
        Ok(builder.finish(root).nodes() as u64)
    };
    let free = Budget::unlimited(&GO_ON);
    let needed = build(free).unwrap();
    assert!(needed > 2_000, "{needed}");
    assert_eq!(build(Budget { nodes: needed, ..free }), Ok(needed));
    assert_eq!(build(Budget { nodes: needed - 1, ..free }), Err(Halt::Nodes(needed - 1)));
    assert_eq!(build(Budget { bytes: 10 * needed, ..free }), Err(Halt::Bytes(10 * needed)));
    assert_eq!(build(Budget { stop: &AtomicBool::new(true), ..free }), Err(Halt::Stopped));
}

/// The chi-square statistic of the numbers of draws of each model.
fn chi_square(counts: &Counts, models: &[Vec<Var>], draws: usize, seed: u64) -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn = vec![0_usize; models.len()];
    for _ in 0..draws {
        let model = counts.random(&mut random).unwrap();
        drawn[models.iter().position(|other| *other == model).unwrap()] += 1;
    }
    let expected = draws as f64 / models.len() as f64;
    drawn.iter().map(|&times| (times as f64 - expected).powi(2) / expected).sum()
}

#[test]
fn random_models_have_equal_chances() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for kind in [DiagramKind::Bdd, DiagramKind::Zdd] {
        let values: Vec<bool> = (0..1 << 7).map(|_| random.random_range(0..3) == 0).collect();
        let diagram = Function { variables: 7, values }.diagram(kind);
        let models = all_models(&diagram);
        // The mean of the statistic is the degrees of freedom, its variance twice that; one seed in a million exceeds
        // five standard deviations.
        let freedom = models.len() as f64 - 1.0;
        let statistic = chi_square(&diagram.counts(), &models, 100 * models.len(), 6);
        assert!(
            (statistic - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(),
            "{statistic} {freedom}"
        );
    }
}

#[test]
fn a_model_is_decoded_as_its_layout_means_it() {
    let board = Board::new(5).unwrap();
    let registry = bezzel_queens::register(Registry::standard());
    for id in ["pairwise", "bryant-circuit:binary", "order"] {
        let encoding = registry.find(id).unwrap().with_settings(bezzel_encode::Constraints::Full);
        let map: VarMap = encoding.encode(&board.problem(), &mut FormulaStats::new());
        let variables = map.variables();
        let mut decoder = Decoder::new(&map);
        let mut random = ChaCha8Rng::seed_from_u64(7);
        for _ in 0..50 {
            let model: Vec<Var> =
                variables.iter().copied().filter(|_| random.random_range(0..3) == 0).collect();
            let solution = map.decode(|lit| model.contains(&lit.var()) == lit.is_pos());
            let placement = Placement::of(&board, &solution);
            assert_eq!(Placement::of(&board, &decoder.solution(&model)), placement, "{id}");
        }
    }
}

#[test]
fn paths_are_models_where_no_variable_is_skipped() {
    let order: Vec<Var> = [0, 1].map(Var::new).into();
    let of = |kind, values: &[bool]| {
        let mut builder = Builder::new(kind, order.clone(), Budget::unlimited(&GO_ON));
        let root = build(&mut builder, 0, values).unwrap();
        let diagram = builder.finish(root);
        (diagram.paths(), diagram.count())
    };
    let both = |paths: u32, models: u32| (BigUint::from(paths), BigUint::from(models));
    // Exactly one of two; at least one, where the first decides; and the constants.
    assert_eq!(of(DiagramKind::Bdd, &[false, true, true, false]), both(2, 2));
    assert_eq!(of(DiagramKind::Bdd, &[false, true, true, true]), both(2, 3));
    assert_eq!(of(DiagramKind::Zdd, &[false, true, true, true]), both(3, 3));
    assert_eq!(of(DiagramKind::Bdd, &[true; 4]), both(1, 4));
    assert_eq!(of(DiagramKind::Bdd, &[false; 4]), both(0, 0));
}
