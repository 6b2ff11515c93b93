//! Programs that encode: they are run, and their output is parsed and recorded.
//!
//! `{command: "python3 my_encoder.py"}` is an encoding in any language. A program runs before encoding begins. It
//! answers all requests in one run, and its output becomes a record. The record is an encoding like others, which
//! cannot fail any more. Every search for an encoding whose name may contain programs uses [`EncoderPrograms`].
//!
//! A foreign program has no counted revision, so a digest of its output is the revision. Rows of different outputs
//! have different keys.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bezzel_encode::amo::recorded::{Formulas, RecordedAtMostOne, SumFormulas};
use bezzel_encode::encoding::recorded::RecordedEncoding;
use bezzel_encode::registry::{Command, CommandKind, Name, NamedEncoding};
use bezzel_encode::sums::SumLimit;
use bezzel_encode::{
    AtMostOne, ClauseSink, EncodingInfo, FormulaStats, Lit, NameError, Registry, Settings, Shape,
    properties,
};
use bezzel_problem::Instance;
use thiserror::Error;

use crate::model::job::Limits;
use crate::model::permission::Permission;
use crate::model::row::Termination;

mod answer;
mod exchange;
mod request;
#[cfg(test)]
mod tests;

pub(crate) use exchange::ENVIRONMENT;
pub use request::GREETING;

use answer::{EncoderAnswer, EncoderRecord};
use request::{EncodeRequest, RequestRecorder};

/// The reason that a name has no encoding.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FindError {
    /// The name is unknown.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A program in it failed.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// A program that encodes failed.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct ProgramError {
    /// The program and its fault.
    message: String,
    /// The end of a job in which the program fails.
    pub termination: Termination,
    /// True if the program needed more time, memory or output than its limits allow.
    pub is_of_limits: bool,
}

impl ProgramError {
    /// The fault of this program, as the end of a sentence that begins with it.
    fn new(command: &Command, what: &str) -> Self {
        let message = format!("the encoder `{}` {what}", command.line);
        Self { message, termination: Termination::Crashed, is_of_limits: false }
    }
}

/// The limits of a program if no config states any.
pub const LIMITS: Limits =
    Limits { cpu_s: 60.0, wall_s: 180.0, memory_bytes: 4 << 30, nodes: None };

/// The largest number of inputs of the shapes for which a program is asked twice.
const ASKED_TWICE: u64 = 20;

/// The encodings of a registry, and those of programs, which are run when they are named. The answer to a request is
/// kept, and no request is repeated.
pub struct EncoderPrograms<'a> {
    registry: &'a Registry,
    limits: Limits,
    permission: Permission,
    answers: BTreeMap<Command, BTreeMap<EncodeRequest, EncoderAnswer>>,
}

impl<'a> EncoderPrograms<'a> {
    /// Returns the programs beside the encodings of this registry. Each run of a program has these limits. Only
    /// programs that the permission allows are started.
    pub fn new(registry: &'a Registry, limits: Limits, permission: &Permission) -> Self {
        Self { registry, limits, permission: permission.clone(), answers: BTreeMap::new() }
    }

    /// Finds the encoding of a name on this instance, under these settings. It does not serve other instances.
    ///
    /// # Errors
    ///
    /// When there is no such encoding, or a program in its name fails.
    pub fn find(
        &mut self,
        name: &str,
        settings: Settings,
        instance: &Instance,
    ) -> Result<NamedEncoding, FindError> {
        let found = self.find_each(name, settings, &[instance])?;
        Ok(found.into_iter().next().expect("one for each instance"))
    }

    /// Finds the encodings of a name on each of these instances, under these settings. A program in it runs once for
    /// all.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find).
    pub fn find_each(
        &mut self,
        name: &str,
        settings: Settings,
        instances: &[&Instance],
    ) -> Result<Vec<NamedEncoding>, FindError> {
        let Some((name, commands)) = programs_in(name)? else {
            return Ok(vec![self.registry.find(name)?; instances.len()]);
        };
        let wanted = instances.iter();
        let wanted = wanted.map(|instance| self.requests_for(&name, &commands, settings, instance));
        let wanted = wanted.collect::<Result<Vec<_>, _>>()?;
        for command in &commands {
            let all = wanted.iter().flat_map(|wanted| &wanted[command]).cloned().collect();
            self.send_requests(command, &all)?;
        }
        let found = wanted.iter().map(|wanted| self.recorded(&name, wanted));
        found.collect()
    }

    /// Finds the encoding of a name for its properties: on every number of inputs for which they are computed, on the
    /// instances of an encoding of whole instances, `instances`, and on those of its profile, `others`. A program is run
    /// twice, since its output must be the same again.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find), and when a program prints another output the second time.
    pub fn find_for_properties(
        &mut self,
        name: &str,
        instances: &[Instance],
        others: &[Instance],
    ) -> Result<NamedEncoding, FindError> {
        let Some((name, commands)) = programs_in(name)? else {
            return Ok(self.registry.find(name)?);
        };
        let mut wanted: BTreeMap<Command, BTreeSet<EncodeRequest>> = BTreeMap::new();
        for instance in others {
            for (command, requests) in
                self.requests_for(&name, &commands, Settings::default(), instance)?
            {
                wanted.entry(command).or_default().extend(requests);
            }
        }
        for command in commands {
            let mut all = wanted.remove(&command).unwrap_or_default();
            let many = properties::at_most_one::MANY_INPUTS.into();
            match command.kind {
                CommandKind::Whole => {
                    all.extend(instances.iter().filter_map(EncodeRequest::of_instance));
                }
                CommandKind::AtMostOne => all.extend((0..=many).map(EncodeRequest::AtMostOne)),
                CommandKind::AtMostK | CommandKind::Sum => {
                    all.extend((2..=many).map(|inputs| EncodeRequest::AtMostK { inputs, k: 1 }));
                }
            }
            self.send_requests(&command, &all)?;
            self.refuse_unsteady(&command, &all)?;
            wanted.insert(command, all);
        }
        self.recorded(&name, &wanted)
    }

    /// Sends a program requests that it has answered, and refuses it if it answers one otherwise.
    fn refuse_unsteady(
        &self,
        command: &Command,
        answered: &BTreeSet<EncodeRequest>,
    ) -> Result<(), FindError> {
        let again = exchange::run(command, answered, &self.limits, &self.permission)?;
        let answers = &self.answers[command];
        match again.iter().find(|(request, answer)| answers[request] != **answer) {
            Some((request, _)) => {
                let what =
                    format!("printed other clauses when it was asked `{request}` a second time");
                Err(ProgramError::new(command, &what).into())
            }
            None => Ok(()),
        }
    }

    /// The encoder that a program of larger bounds is, for these shapes alone. None if the name is no such program. It is
    /// asked twice for those of at most 20 inputs, since its output must be the same again.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find).
    pub fn find_for_shapes(
        &mut self,
        name: &str,
        shapes: &[Shape],
    ) -> Result<Option<Arc<dyn AtMostOne>>, FindError> {
        self.find_for(name, CommandKind::takes_bounds, |recorder| {
            for shape in shapes {
                let mut stats = FormulaStats::new();
                let xs: Vec<Lit> = stats.fresh(shape.n as u32).lits().collect();
                shape.encode(recorder, &xs, &mut stats);
            }
        })
    }

    /// As [`find_for_shapes`](Self::find_for_shapes), the encoder that a program of the kind `sum` is, for these sums.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find).
    pub fn find_for_sums(
        &mut self,
        name: &str,
        sums: &[SumLimit],
    ) -> Result<Option<Arc<dyn AtMostOne>>, FindError> {
        self.find_for(
            name,
            |kind| kind == CommandKind::Sum,
            |recorder| {
                for sum in sums {
                    let mut stats = FormulaStats::new();
                    let xs: Vec<Lit> = stats.fresh(sum.weights.len() as u32).lits().collect();
                    sum.encode(recorder, &xs, &mut stats);
                }
            },
        )
    }

    /// The encoder that a program of this kind is, for what `encode` asks it for.
    fn find_for(
        &mut self,
        name: &str,
        is_kind: impl Fn(CommandKind) -> bool,
        encode: impl Fn(&RequestRecorder),
    ) -> Result<Option<Arc<dyn AtMostOne>>, FindError> {
        let Some((name, commands)) = programs_in(name)? else { return Ok(None) };
        let [command] = &commands[..] else { return Ok(None) };
        if !is_kind(command.kind) {
            return Ok(None);
        }
        let recorder = RequestRecorder::new(command);
        encode(&recorder);
        let wanted = recorder.requests();
        self.send_requests(command, &wanted)?;
        let is_small = |request: &&EncodeRequest| request.inputs() <= ASKED_TWICE;
        let small: BTreeSet<EncodeRequest> = wanted.iter().filter(is_small).cloned().collect();
        if !small.is_empty() {
            self.refuse_unsteady(command, &small)?;
        }
        match self.recorded(&name, &[(command.clone(), wanted)].into())? {
            NamedEncoding::AtMostOne(encoder) => Ok(Some(encoder)),
            NamedEncoding::Mixture(_) | NamedEncoding::Whole(_) => Ok(None),
        }
    }

    /// Returns the requests to each program for the encoding of a name on an instance. A recorder stands in for each program.
    fn requests_for(
        &self,
        name: &Name,
        commands: &[Command],
        settings: Settings,
        instance: &Instance,
    ) -> Result<BTreeMap<Command, BTreeSet<EncodeRequest>>, FindError> {
        let recorders: Vec<_> = commands.iter().map(RequestRecorder::new).collect();
        let registry = request::registered(self.registry, &recorders);
        let encoding = registry.find_name(name)?.with_settings(settings);
        // An encoding that refuses the instance has no requests. Encoding it is refused later.
        let problem = instance.problem();
        if encoding.fits(&problem).is_ok() {
            encoding.encode(&problem, &mut FormulaStats::new());
        }
        let requests = recorders.iter().map(RequestRecorder::requests);
        Ok(commands.iter().cloned().zip(requests).collect())
    }

    /// Sends a program the requests that it has not answered yet.
    fn send_requests(
        &mut self,
        command: &Command,
        wanted: &BTreeSet<EncodeRequest>,
    ) -> Result<(), ProgramError> {
        let answers = self.answers.entry(command.clone()).or_default();
        let open: BTreeSet<EncodeRequest> =
            wanted.iter().filter(|request| !answers.contains_key(request)).cloned().collect();
        if !open.is_empty() {
            answers.extend(exchange::run(command, &open, &self.limits, &self.permission)?);
        }
        Ok(())
    }

    /// Returns the encoding of a name whose programs have answered the requests.
    fn recorded(
        &self,
        name: &Name,
        wanted: &BTreeMap<Command, BTreeSet<EncodeRequest>>,
    ) -> Result<NamedEncoding, FindError> {
        let mut registry = self.registry.clone();
        for (command, requests) in wanted {
            let answers: Vec<(&EncodeRequest, &EncoderAnswer)> =
                requests.iter().map(|request| (request, &self.answers[command][request])).collect();
            let info =
                EncodingInfo { revision: answer::revision(&answers), ..encoding_info(command) };
            let mut formulas = Formulas::new();
            let (mut sums, mut instances) = (SumFormulas::new(), Vec::new());
            for (request, answer) in answers {
                match (request, &answer.record) {
                    (EncodeRequest::AtMostOne(inputs), EncoderRecord::Line(formula)) => {
                        formulas.insert((*inputs, 1), Arc::clone(formula));
                    }
                    (EncodeRequest::AtMostK { inputs, k }, EncoderRecord::Line(formula)) => {
                        formulas.insert((*inputs, *k), Arc::clone(formula));
                    }
                    (EncodeRequest::Sum { weights, bound }, EncoderRecord::Line(formula)) => {
                        sums.insert((weights.clone(), *bound), Arc::clone(formula));
                    }
                    (EncodeRequest::Instance(request), EncoderRecord::Instance(record)) => {
                        instances.push((request.instance.clone(), Arc::clone(record)));
                    }
                    _ => unreachable!("an answer is what was asked for"),
                }
            }
            registry = match command.kind {
                CommandKind::Whole => registry.with(RecordedEncoding::new(info, instances)),
                kind => {
                    let lines = RecordedAtMostOne::new(info, formulas, kind.takes_bounds());
                    registry.with_at_most_one(match kind {
                        CommandKind::Sum => lines.with_sums(sums),
                        _ => lines,
                    })
                }
            };
        }
        Ok(registry.find_name(name)?)
    }
}

/// Returns the information on an unknown program. It declares no property, so that the properties are computed.
fn encoding_info(command: &Command) -> EncodingInfo {
    EncodingInfo {
        id: command.to_string(),
        title: "a program's".into(),
        citation: format!("the program `{}`", command.line),
        revision: 0,
        propagation: bezzel_encode::Propagation::Weak,
        auxiliaries: bezzel_encode::Auxiliaries::Free,
        constraints: match command.kind {
            CommandKind::Whole => "as the program states them".into(),
            CommandKind::AtMostOne | CommandKind::AtMostK | CommandKind::Sum => String::new(),
        },
        bounds: true,
        ..EncodingInfo::default()
    }
}

/// Parses a name. A text that is no map is an id, with any content.
pub(crate) fn name(text: &str) -> Result<Name, NameError> {
    if text.trim_start().starts_with('{') {
        Ok(Name::parse(text)?)
    } else {
        Ok(Name::Id(text.to_owned()))
    }
}

/// Returns the parsed name and the programs in it, if there are any.
fn programs_in(name: &str) -> Result<Option<(Name, Vec<Command>)>, NameError> {
    let name = self::name(name)?;
    let commands = name.commands()?;
    Ok((!commands.is_empty()).then_some((name, commands)))
}

/// The command lines of the programs in a name.
pub(crate) fn lines_in(name: &str) -> Vec<String> {
    let found = programs_in(name).ok().flatten();
    found.map_or_else(Vec::new, |(_, commands)| {
        commands.into_iter().map(|command| command.line).collect()
    })
}

/// Returns true if a name contains programs.
pub fn needs_programs(name: &str) -> bool {
    programs_in(name).is_ok_and(|found| found.is_some())
}

/// Returns the encoding of a name whose programs are unknown: it has its information and checks of fit, but cannot encode.
/// Nothing is run.
///
/// # Errors
///
/// When there is no such encoding.
pub fn unrecorded(registry: &Registry, name: &Name) -> Result<NamedEncoding, NameError> {
    let commands = name.commands()?;
    if commands.is_empty() {
        return registry.find_name(name);
    }
    let recorders: Vec<_> = commands.iter().map(RequestRecorder::new).collect();
    request::registered(registry, &recorders).find_name(name)
}
