//! Programs that encode: run, understood, recorded.
//!
//! `{command: "python3 my_encoder.py"}` is an encoding in any language. A program runs before
//! anything is encoded, answers all requests in one run, and what it prints becomes a record, which
//! is an encoding like others: it cannot fail any more. Everybody who needs an encoding by a name
//! that may hold programs comes through [`Programs`].
//!
//! Nobody counts revisions of a foreign program, so a digest of what it printed stands for the
//! revision: rows of what it printed otherwise belong to another key.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bezzel_encode::amk::Limit;
use bezzel_encode::amo::recorded::{Formulas, Recorded};
use bezzel_encode::registry::{Command, CommandKind, Found, Name};
use bezzel_encode::{
    Card, ClauseSink, Lit, NameError, Registry, Settings, Tally, encoding, properties,
};
use bezzel_problem::{Board, Instance};
use thiserror::Error;

use crate::model::job::Limits;
use crate::model::permission::Permission;

mod answer;
mod converse;
mod fault;
mod request;
mod stand_in;
#[cfg(test)]
mod tests;

pub use converse::MOST_BYTES;
pub(crate) use converse::{ENVIRONMENT, REFUSALS, last_words};
pub use fault::{Fault, ProgramError};

use answer::{Answer, Record};
use request::Request;
use stand_in::StandIn;

/// Why there is no encoding of a name.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FindError {
    /// Nothing bears the name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A program in it failed.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// What a program may use where no config says so.
pub const LIMITS: Limits =
    Limits { cpu_s: 60.0, wall_s: 180.0, memory_bytes: 4 << 30, nodes: None };

/// The side of the largest board on which verdicts try an encoding of boards.
const LARGEST_TRIED: u32 = 12;

/// The encodings of a registry, and those of programs, which are run when they are named. What a
/// program has said is not asked again.
pub struct Programs<'a> {
    registry: &'a Registry,
    limits: Limits,
    permission: Permission,
    heard: BTreeMap<Command, BTreeMap<Request, Answer>>,
}

impl<'a> Programs<'a> {
    /// Programs beside the encodings of this registry. Each run of one has these limits. Only those that
    /// the permission permits are started.
    pub fn new(registry: &'a Registry, limits: Limits, permission: &Permission) -> Self {
        Self { registry, limits, permission: permission.clone(), heard: BTreeMap::new() }
    }

    /// The encoding of a name on this instance, under these settings. It does not serve other instances.
    ///
    /// # Errors
    ///
    /// When there is no such encoding, or a program in its name fails.
    pub fn find(
        &mut self,
        name: &str,
        settings: Settings,
        instance: &Instance,
    ) -> Result<Found, FindError> {
        let found = self.find_each(name, settings, &[instance])?;
        Ok(found.into_iter().next().expect("one for each instance"))
    }

    /// The encodings of a name on each of these instances, under these settings. A program in it runs once for
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
    ) -> Result<Vec<Found>, FindError> {
        let Some((name, commands)) = programs_in(name)? else {
            return Ok(vec![self.registry.find(name)?; instances.len()]);
        };
        let wanted = instances.iter();
        let wanted = wanted.map(|instance| self.wanted(&name, &commands, settings, instance));
        let wanted = wanted.collect::<Result<Vec<_>, _>>()?;
        for command in &commands {
            let all = wanted.iter().flat_map(|wanted| &wanted[command]).cloned().collect();
            self.ask(command, &all)?;
        }
        let found = wanted.iter().map(|wanted| self.recorded(&name, wanted));
        found.collect()
    }

    /// What a name stands for as far as the laws go: on every number of inputs and every board that
    /// they try. A program is run twice, since it is a law that it says the same again.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find), and when a program does not say the same again.
    pub fn find_for_laws(&mut self, name: &str) -> Result<Found, FindError> {
        self.find_widely(name, &[])
    }

    /// What a name stands for as far as a card goes that shows this board: where the laws and the
    /// verdicts try it, and on that board.
    ///
    /// # Errors
    ///
    /// As [`find_for_laws`](Self::find_for_laws).
    pub fn find_for_card(&mut self, name: &str, board: &Board) -> Result<Found, FindError> {
        let planes = (1..=LARGEST_TRIED).map(|side| Board::new(side).expect("it is small"));
        self.find_widely(name, &planes.chain([board.clone()]).collect::<Vec<_>>())
    }

    /// What a name stands for where the laws try it, and on `others`.
    fn find_widely(&mut self, name: &str, others: &[Board]) -> Result<Found, FindError> {
        let Some((name, commands)) = programs_in(name)? else {
            return Ok(self.registry.find(name)?);
        };
        let mut wanted: BTreeMap<Command, BTreeSet<Request>> = BTreeMap::new();
        for board in others {
            for (command, requests) in
                self.wanted(&name, &commands, Settings::default(), &board.clone().into())?
            {
                wanted.entry(command).or_default().extend(requests);
            }
        }
        for command in commands {
            let mut all = wanted.remove(&command).unwrap_or_default();
            let many = properties::at_most_one::MANY_INPUTS.into();
            match command.kind {
                CommandKind::Board => {
                    all.extend(properties::board::boards().iter().map(Request::board));
                }
                CommandKind::AtMostOne => all.extend((0..=many).map(Request::AtMostOne)),
                CommandKind::AtMostK => {
                    all.extend((2..=many).map(|inputs| Request::AtMostK { inputs, k: 1 }));
                }
            }
            self.ask(&command, &all)?;
            let again = converse::ask(&command, &all, &self.limits, &self.permission)?;
            let heard = &self.heard[&command];
            if let Some((request, _)) =
                again.iter().find(|(request, answer)| heard[request] != **answer)
            {
                return Err(Fault::Unsteady(request.to_string()).of(&command).into());
            }
            wanted.insert(command, all);
        }
        self.recorded(&name, &wanted)
    }

    /// The encoder of at most, at least and exactly `k` that a program of the kind `at-most-k` is, for these numbers of
    /// literals. None if the name is no such program.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find).
    pub fn find_for_bounds(
        &mut self,
        name: &str,
        k: u64,
        numbers: &[u64],
    ) -> Result<Option<Found>, FindError> {
        let Some((name, commands)) = programs_in(name)? else { return Ok(None) };
        let [command] = &commands[..] else { return Ok(None) };
        if command.kind != CommandKind::AtMostK {
            return Ok(None);
        }
        let stand_in = StandIn::new(command);
        for &n in numbers {
            let mut tally = Tally::new();
            let xs: Vec<Lit> = tally.fresh(n as u32).lits().collect();
            for limit in Limit::ALL {
                limit.encode(&stand_in, &xs, k, &mut tally);
            }
        }
        let wanted = stand_in.noted();
        self.ask(command, &wanted)?;
        Ok(Some(self.recorded(&name, &[(command.clone(), wanted)].into())?))
    }

    /// The requests to each program without whose answers the name cannot be encoded on a board: a stand-in notes them.
    fn wanted(
        &self,
        name: &Name,
        commands: &[Command],
        settings: Settings,
        instance: &Instance,
    ) -> Result<BTreeMap<Command, BTreeSet<Request>>, FindError> {
        let stand_ins: Vec<_> = commands.iter().map(StandIn::new).collect();
        let registry = stand_in::registered(self.registry, &stand_ins);
        let encoding = registry.find_name(name)?.on_board(settings);
        // An encoding that refuses the instance asks nothing; encoding it is refused later.
        let problem = instance.problem();
        if encoding.fits(&problem).is_ok() {
            encoding.encode(&problem, &mut Tally::new());
        }
        let noted = stand_ins.iter().map(StandIn::noted);
        Ok(commands.iter().cloned().zip(noted).collect())
    }

    /// Asks a program what it was not asked before.
    fn ask(&mut self, command: &Command, wanted: &BTreeSet<Request>) -> Result<(), ProgramError> {
        let heard = self.heard.entry(command.clone()).or_default();
        let open: BTreeSet<Request> =
            wanted.iter().filter(|request| !heard.contains_key(request)).cloned().collect();
        if !open.is_empty() {
            heard.extend(converse::ask(command, &open, &self.limits, &self.permission)?);
        }
        Ok(())
    }

    /// The encoding of a name whose programs have said what is wanted.
    fn recorded(
        &self,
        name: &Name,
        wanted: &BTreeMap<Command, BTreeSet<Request>>,
    ) -> Result<Found, FindError> {
        let mut registry = self.registry.clone();
        for (command, requests) in wanted {
            let answers: Vec<(&Request, &Answer)> =
                requests.iter().map(|request| (request, &self.heard[command][request])).collect();
            let card = Card { revision: answer::revision(&answers), ..card(command) };
            let mut formulas = Formulas::new();
            let mut boards = Vec::new();
            for (request, answer) in answers {
                match (request, &answer.record) {
                    (Request::AtMostOne(inputs), Record::Line(formula)) => {
                        formulas.insert((*inputs, 1), Arc::clone(formula));
                    }
                    (Request::AtMostK { inputs, k }, Record::Line(formula)) => {
                        formulas.insert((*inputs, *k), Arc::clone(formula));
                    }
                    (Request::Board(board), Record::Board(record)) => {
                        boards.push((board.clone(), Arc::clone(record)));
                    }
                    _ => unreachable!("an answer is what was asked for"),
                }
            }
            let takes_bounds = command.kind == CommandKind::AtMostK;
            registry = match command.kind {
                CommandKind::Board => {
                    registry.with(encoding::recorded::Recorded::new(card, boards))
                }
                CommandKind::AtMostOne | CommandKind::AtMostK => {
                    registry.with_at_most_one(Recorded::new(card, formulas, takes_bounds))
                }
            };
        }
        Ok(registry.find_name(name)?)
    }
}

/// The card of a program of which nothing is known: it promises nothing, so that the laws find out
/// what it does.
fn card(command: &Command) -> Card {
    Card {
        id: command.to_string(),
        title: "a program's".into(),
        citation: format!("the program `{}`", command.line),
        revision: 0,
        propagation: bezzel_encode::Propagation::Weak,
        auxiliaries: bezzel_encode::Auxiliaries::Free,
        constraints: match command.kind {
            CommandKind::Board => "as the program states them".into(),
            CommandKind::AtMostOne | CommandKind::AtMostK => String::new(),
        },
        bounds: true,
        ..Card::default()
    }
}

/// A name taken apart; what is no map is an id, whatever is in it.
pub(crate) fn name(text: &str) -> Result<Name, NameError> {
    if text.trim_start().starts_with('{') {
        Ok(Name::parse(text)?)
    } else {
        Ok(Name::Id(text.to_owned()))
    }
}

/// The name taken apart and the programs in it, if there are any.
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

/// Whether a name asks for programs.
pub fn needs_programs(name: &str) -> bool {
    programs_in(name).is_ok_and(|found| found.is_some())
}

/// What a name stands for, with programs in it unknown: good for its card and for what fits, not
/// for encoding. Nothing is run.
///
/// # Errors
///
/// When there is no such encoding.
pub fn unrecorded(registry: &Registry, name: &Name) -> Result<Found, NameError> {
    let commands = name.commands()?;
    if commands.is_empty() {
        return registry.find_name(name);
    }
    let stand_ins: Vec<_> = commands.iter().map(StandIn::new).collect();
    stand_in::registered(registry, &stand_ins).find_name(name)
}
