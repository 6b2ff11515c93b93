//! CaDiCaL's options: checks, setting and reading.

use std::path::Path;
use std::sync::OnceLock;

use cadical_sys::CaDiCal;

use super::Cadical;
use crate::options::{OptionError, OptionValue, Options};

/// The names of all options of CaDiCaL 3.0.1 as a library. CaDiCaL can check a name but cannot list the names.
const NAMES: &str = "arena arenacompact arenasort arenatype backbone backboneeffort backbonemaxrounds \
    backbonerounds backbonethresh binary block blockmaxclslim blockminclslim blockocclim bump \
    bumpreason bumpreasondepth bumpreasonlimit bumpreasonrate check checkassumptions \
    checkconstraint checkfailed checkfrozen checkproof checkwitness chrono chronoalways \
    chronolevelim chronoreusetrail compact compactint compactlim compactmin condition \
    conditioneffort conditionint conditionmaxeff conditionmaxrat conditionmineff congruence \
    congruenceand congruenceandarity congruencebinaries congruenceite congruencexor \
    congruencexorarity congruencexorcounts cover covereffort covermaxclslim covermaxeff \
    coverminclslim covermineff decompose decomposerounds deduplicate deduplicateallinit \
    eagersubsume eagersubsumelim elevate elim elimands elimbackward elimboundmax elimboundmin \
    elimclslim elimdef elimdefcores elimdefticks elimeffort elimequivs elimint elimites \
    elimlimited elimmaxeff elimmineff elimocclim elimprod elimrounds elimsubst elimsum \
    elimxorlim elimxors emadecisions emagluefast emaglueslow emajump emalevel emasize \
    ematrailfast ematrailslow exteagerreasons exteagerrecalc exttracecalls factor \
    factorcandrounds factorcheck factordelay factoreffort factoriniticks factorsize factorthresh \
    factorunbump fastelim fastelimbound fastelimclslim fastelimocclim fastelimrounds flush \
    flushfactor flushint forcephase frat idrup ilb incdecay incdecayint inprobeint inprobing \
    inprocessing instantiate instantiateclslim instantiateocclim instantiateonce lidrup lrat \
    lucky luckyassumptions luckyearly luckylate minimize minimizedepth minimizeticks otfs phase \
    preprocessinit preprocesslight probe probeeffort probehbr probethresh profile radixsortlim \
    randec randecfocused randecinit randecint randeclength randecstable realtime recomputetier \
    reduce reduceinit reduceint reduceopt reducetarget reducetier1glue reducetier2glue reluctant \
    reluctantint reluctantmax rephase rephaseint report reportall reportsolve restart restartint \
    restartmarginfocused restartmarginstable restartreusetrail restoreall restoreflush reverse \
    score scorefactor seed shrink shrinkreap shuffle shufflequeue shufflerandom shufflescores \
    stabilize stabilizeinit stabilizeonly stats stubbornIOfocused subsume subsumebinlim \
    subsumeclslim subsumeeffort subsumelimited subsumemaxeff subsumemineff subsumeocclim \
    subsumestr sweep sweepclauses sweepcomplete sweepcountbinary sweepdepth sweepeffort \
    sweepfliprounds sweepmaxclauses sweepmaxdepth sweepmaxvars sweeprand sweepthresh sweepvars \
    target terminateint ternary ternaryeffort ternarymaxadd ternaryocclim ternaryrounds \
    ternarythresh tier1limit tier1minglue tier2limit tier2minglue transred transredeffort \
    transredmaxeff transredmineff veripb vivify vivifycalctier vivifydemote vivifyeffort \
    vivifyflush vivifyinst vivifyirred vivifyirredeff vivifyonce vivifyretry vivifyschedmax \
    vivifythresh vivifytier1 vivifytier1eff vivifytier2 vivifytier2eff vivifytier3 \
    vivifytier3eff walk walkeffort walkfullocc walkmaxeff walkmineff walknonstable walkredundant \
    warmup";

fn names() -> impl Iterator<Item = &'static str> {
    NAMES.split_whitespace()
}

/// Returns a solver with this preset, overridden by `options`.
pub(super) fn configured(preset: Cadical, options: &Options) -> Result<CaDiCal, OptionError> {
    let mut solver = CaDiCal::new();
    solver.configure(preset.configuration());
    solver.set("factor", 0);
    for (name, &value) in options {
        set(&mut solver, preset.id(), name, value)?;
    }
    Ok(solver)
}

/// Makes the solver write an LRAT proof. Settings for this purpose alone are no options of the job.
pub(super) fn trace(solver: &mut CaDiCal, id: &str, path: &Path) -> Result<(), OptionError> {
    // CaDiCaL compresses files whose names end in .gz with an external program; our names do not end so.
    let opened = path.to_str().is_some_and(|path| {
        solver.set("lrat", 1);
        solver.set("binary", 1);
        solver.trace_proof2(path)
    });
    if opened { Ok(()) } else { Err(OptionError::proof(id, path)) }
}

/// Sets one option, or reports an error.
fn set(solver: &mut CaDiCal, id: &str, name: &str, value: OptionValue) -> Result<(), OptionError> {
    if !CaDiCal::is_valid_option(name) {
        return Err(OptionError::unknown(id, name, names()));
    }
    let number = match value {
        OptionValue::Flag(flag) => Some(i32::from(flag)),
        OptionValue::Integer(integer) => i32::try_from(integer).ok(),
        OptionValue::Number(_) => None,
    };
    // CaDiCaL silently moves a value that is out of range to the end of the range.
    let mut moved = |number| {
        solver.set(name, number);
        solver.get(name)
    };
    if number.is_none_or(|number| moved(number) != number) {
        let (least, max) = (moved(i32::MIN), moved(i32::MAX));
        let reason = format!("it is a whole number from {least} to {max}");
        return Err(OptionError::value(id, name, value, reason));
    }
    Ok(())
}

/// Returns the options that a row records for a solver that was configured with `options`.
pub(super) fn settings(solver: &mut CaDiCal, options: &Options) -> Options {
    names()
        .zip(defaults())
        .map(|(name, default)| (name, solver.get(name), default))
        .filter(|&(name, value, &default)| {
            name == "factor" || value != default || options.contains_key(name)
        })
        .map(|(name, value, _)| (name.to_owned(), OptionValue::Integer(value.into())))
        .collect()
}

/// Returns the default of each option in CaDiCaL, in the order of their names.
fn defaults() -> &'static [i32] {
    static DEFAULTS: OnceLock<Vec<i32>> = OnceLock::new();
    DEFAULTS.get_or_init(|| {
        let mut solver = CaDiCal::new();
        names().map(|name| solver.get(name)).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_an_option_and_stands_once() {
        assert!(names().all(CaDiCal::is_valid_option));
        assert!(names().is_sorted_by(|first, second| first < second));
    }

    #[test]
    fn settings_say_all_that_a_preset_changes() {
        let none = Options::new();
        let mut plain = configured(Cadical::Plain, &none).unwrap();
        let stated = settings(&mut plain, &none);
        let mut rebuilt = configured(Cadical::Default, &stated).unwrap();
        for name in names() {
            assert_eq!(plain.get(name), rebuilt.get(name), "{name}");
        }
        // Every option of preprocessing is off, and no other option is changed.
        for name in names().filter(|name| CaDiCal::is_preprocessing_option(name)) {
            assert_eq!(plain.get(name), 0, "{name}");
        }
        assert!(stated.keys().all(|name| CaDiCal::is_preprocessing_option(name)));
        assert!(stated.len() > 10, "{stated:?}");
    }

    #[test]
    fn the_default_preset_states_factor_alone() {
        let none = Options::new();
        let mut solver = configured(Cadical::Default, &none).unwrap();
        let factor_off = Options::from([("factor".to_owned(), OptionValue::Integer(0))]);
        assert_eq!(settings(&mut solver, &none), factor_off);
    }
}
