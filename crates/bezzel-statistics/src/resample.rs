//! Bootstrap resamples: instances are drawn within their strata, then the replicates of each instance.
//!
//! Random numbers depend on the numbers of instances and replicates alone, not on their values. So designs of the same
//! [`Shape`] share their draws: the measures and the solvers of one record often do. Draws of few replicates are
//! numbered by their multisets, and the median of each multiset is known before. Its logarithm is a whole number of
//! small units: sums of them are exact, and the ratio of equal values is 1 in every order of the sum.

use std::thread;

use indexmap::IndexMap;

use super::batch::{Batch, FEW, Multisets, Shape, Words};
use super::question::{Ends, Question, shape};
use super::sampler::Sampler;
use crate::contrast::{Draws, PARTS};
use crate::question::Smallest;

/// The number of resamples that are drawn before they are evaluated, so that both need little memory.
const BATCH: usize = 50;

/// The ends of the bootstrap intervals of the contrasts of each question, as logarithms.
pub(super) fn resample(questions: &[Question<'_>]) -> Vec<Vec<(f64, f64)>> {
    let mut alike: IndexMap<Draws, IndexMap<Shape, Vec<usize>>> = IndexMap::new();
    let drawn = questions.iter().enumerate().filter(|(_, of)| !of.contrasts.is_empty());
    for (number, question) in drawn {
        let of_draws = alike.entry(question.draws).or_default();
        of_draws.entry(shape(question)).or_default().push(number);
    }
    let own_ends = || questions.iter().map(|question| question.ends.clone());
    let mut ends: Vec<Ends> = own_ends().collect();
    let multisets: Vec<Multisets> = (0..=FEW).map(Multisets::new).collect();
    for (draws, shapes) in &alike {
        let sampler =
            |&number: &usize| (number, Sampler::new(&questions[number], &multisets, draws.seed));
        let of_shape = |(shape, numbers)| {
            let numbers: &Vec<usize> = numbers;
            (shape, numbers.iter().map(sampler).collect())
        };
        let shapes: Vec<(&Shape, Vec<_>)> = shapes.iter().map(of_shape).collect();
        let of_threads = in_threads(|part, found: &mut Vec<Ends>| {
            if found.is_empty() {
                found.extend(own_ends());
            }
            draw_part(&shapes, &multisets, *draws, part, found);
        });
        for found in of_threads.into_iter().flatten().zip((0..questions.len()).cycle()) {
            let (found, number) = found;
            for (all, part) in ends[number].iter_mut().zip(found) {
                all.iter_mut().zip(part).for_each(|(all, part)| all.merge(part));
            }
        }
    }
    let of_contrast = |[low, high]: [Smallest; 2]| (low.largest(), -high.largest());
    ends.into_iter().map(|ends| ends.into_iter().map(of_contrast).collect()).collect()
}

/// Draws a part of the resamples for the questions of each shape, and enters them into their ends.
fn draw_part(
    shapes: &[(&Shape, Vec<(usize, Sampler<'_>)>)],
    multisets: &[Multisets],
    draws: Draws,
    part: usize,
    found: &mut [Ends],
) {
    let mut words = Words::new(draws.seed, part);
    // Each shape with the place of its next random number, and the number of resamples that are not drawn yet.
    let mut open = Vec::new();
    for (shape, samplers) in shapes {
        open.push((Batch::new(shape, multisets), samplers, 0, draws.resamples / PARTS));
    }
    while let Some(least) = open.iter().map(|(batch, ..)| batch.largest).max() {
        let from = open.iter().map(|(.., place, _)| *place).min();
        words.extend(from.unwrap_or_default(), least);
        for (batch, samplers, place, left) in &mut open {
            while *left > 0 {
                let mut unused = words.from(*place);
                let before = unused.len();
                batch.draw(BATCH.min(*left), &mut unused);
                if batch.resamples == 0 {
                    break;
                }
                *place += before - unused.len();
                *left -= batch.resamples;
                for (number, sampler) in *samplers {
                    sampler.enter(batch, &mut found[*number]);
                }
            }
        }
        open.retain(|(.., left)| *left > 0);
    }
}

/// Does all parts, each thread some of them. Returns the result of each thread.
fn in_threads<T: Default + Send>(part: impl Fn(usize, &mut T) + Sync) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(PARTS);
    let of_thread = |thread: usize| {
        let mut found = T::default();
        (thread..PARTS).step_by(threads).for_each(|number| part(number, &mut found));
        found
    };
    thread::scope(|scope| {
        let start = |thread: usize| {
            let started = thread::Builder::new().spawn_scoped(scope, move || of_thread(thread));
            started.map_err(|_| thread)
        };
        let started: Vec<_> = (1..threads).map(start).collect();
        let own = of_thread(0);
        // A panic of a thread is propagated, as it would be without threads. The part of a thread that the system does
        // not start is done here.
        let others = started.into_iter().map(|other| match other {
            Ok(other) => other.join().expect("drawing cannot fail"),
            Err(thread) => of_thread(thread),
        });
        std::iter::once(own).chain(others.collect::<Vec<_>>()).collect()
    })
}
