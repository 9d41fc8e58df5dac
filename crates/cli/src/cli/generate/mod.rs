//! `entente generate`: writes generated positions to a file or to standard output.

mod arguments;
mod effort;
mod page;
mod practice;
mod results;
mod scarce;
mod summary;

use std::{
    io::{self, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::{Context as _, anyhow, bail};

pub(super) use arguments::Arguments;
use arguments::Layout;
use effort::for_practice;
use entente::{
    engine::{Engine, EngineError},
    generation::{GenerationError, Outcome, Quota, Request, Series},
    judge::endings::endings_of,
    records::{Format, Provenance, Statistics, command},
    settings::quoted,
};
use entente_constraint::{Target, guide::GuideError};
use page::{Positions, all};
use practice::Practice;
use results::Results;
use scarce::Scarce;
use summary::{End, Summary};

use super::{FOUND, INTERRUPTED, UNDETERMINED, brief, progress::ProgressLine, sink::Sink};

/// Runs `entente generate` and returns its exit status.
///
/// # Errors
/// For invalid input, an impossible constraint, and results that cannot be written.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let constraint = arguments.definitions.parse(&arguments.constraint)?;
    let format = arguments.format()?;
    let target = Target::new(constraint.clone())?;
    let root = arguments.root()?;
    let needs_endings = target.is_judged() || format.is_for_practice();
    let endings = needs_endings.then(|| arguments.tables.open(&endings_of(&target, &root))).transpose()?;
    let mut request =
        Request::new(target, arguments.flags.0.clone()).from_root(root).with_endings(endings.clone());
    if arguments.is_for_practice(format) {
        request = for_practice(request);
    }
    let most = match format {
        Format::Html => Some(("page", Positions::MAX)),
        Format::Worksheet => Some(("worksheet", Practice::MAX)),
        _ => None,
    };
    if let Some((what, most)) = most.filter(|(_, most)| arguments.count > *most) {
        bail!("--count {}: a {what} can have at most {most} positions", arguments.count);
    }
    let layout = arguments.layout(format)?;
    let job = Engine::default().job(&request).map_err(|error| match error {
        EngineError::Impossible(reason) => anyhow!("impossible: {}: {reason}", brief(&constraint)),
        EngineError::TooLong { fewest, max_plies } => {
            anyhow!("--max-plies {max_plies}: the constraint needs at least {fewest} plies")
        }
        EngineError::Request(error) => anyhow!(error.with_flags()),
        error => error.into(),
    })?;
    for note in &job.notes {
        let _ = writeln!(io::stderr(), "note: {note}");
    }
    let context = Provenance::of(&job);

    let stop = Arc::new(AtomicBool::new(false));
    let mut sink = Sink::open_watched(arguments.output.as_deref(), &stop)?;

    let series = Series::new(&request, job);
    let Run { statistics, scarce, texts, end, failure } =
        write_all(arguments, (format, layout), (&request, &series), &context, &stop, &mut sink)?;
    let is_cut = end == End::Interrupted || failure.is_some();
    // An empty sheet is not kept, but an empty list of lines is a valid result.
    let keep = texts > 0 || (!is_cut && format != Format::Worksheet);
    let is_told = is_cut || !keep;
    let output = arguments.output.as_ref().filter(|_| sink.partial().is_some() && is_told);
    if keep {
        sink.finish()?;
    }
    if end != End::ReaderGone && failure.is_none() {
        let summary = Summary {
            statistics: &statistics,
            scarce: &scarce,
            count: arguments.count,
            seed: context.seed,
            end,
            job: series.longest_job(),
            is_verbose: arguments.verbose,
        };
        let _ = write!(io::stderr(), "{summary}");
    }
    if let Some(path) = output.map(|path| path.display()) {
        let _ = match (keep, &failure) {
            (true, _) => writeln!(io::stderr(), "{path} has the positions generated so far"),
            (false, None) => writeln!(io::stderr(), "{path} was not written"),
            // Without results, the error message is enough.
            (false, Some(_)) => Ok(()),
        };
    }
    if let Some(failure) = failure {
        return Err(match failure {
            // A search has proved it.
            GenerationError::Guide(GuideError::Impossible(reason)) => {
                anyhow!("impossible: {}: {reason}", brief(&constraint))
            }
            failure => failure.into(),
        });
    }
    Ok(match end {
        End::Interrupted => INTERRUPTED,
        _ if statistics.satisfied == arguments.count => FOUND,
        _ => UNDETERMINED,
    })
}

/// The result of a run.
struct Run {
    statistics: Statistics,
    scarce: Scarce,
    /// The number of results written; some formats omit positions that were not found.
    texts: u64,
    end: End,
    /// The error that ended the run; earlier results are kept.
    failure: Option<GenerationError>,
}

fn write_all(
    arguments: &Arguments,
    (format, layout): (Format, Layout),
    (request, series): (&Request, &Series),
    context: &Provenance,
    stop: &AtomicBool,
    sink: &mut Sink,
) -> anyhow::Result<Run> {
    let job = series.job();
    let mut quota = Quota::new(arguments.count, request.settings.threads as usize);
    // A board is practised once.
    (quota.first, quota.distinct) =
        (arguments.index, arguments.distinct.unwrap_or(arguments.is_for_practice(format)));
    let progress = ProgressLine::new(quota.count, 0, "positions");
    let (mut statistics, mut scarce) = (Statistics::default(), Scarce::default());
    let mut texts = 0;
    let mut written = Ok(());
    // Without the file of definitions, the command must contain what the names stand for.
    let constraint = match arguments.definitions.is_given() {
        true => job.target.constraint.to_string(),
        false => arguments.constraint.clone(),
    };
    let mut command = command(&request.settings, &constraint, &job.root, job.seed);
    if let Some(tables) = arguments.tables.given() {
        command += &format!(" --tables {}", quoted(tables));
    }
    let mut results = match format {
        Format::Html => Results::Page(Box::new(Positions::new(context, job, command, quota))),
        Format::Worksheet | Format::Study | Format::Anki => {
            let command = all(&command, quota);
            Results::Practice(Box::new(Practice::new(
                context,
                format,
                layout,
                (command, job.endings.as_ref()),
            )?))
        }
        _ => Results::Texts(context, format),
    };
    let generated = series.run(quota, stop, |generation| {
        let undetermined = generation.outcome == Outcome::Undetermined;
        // A position whose generation was interrupted is not counted as missing.
        if written.is_err() || (undetermined && stop.load(Ordering::Relaxed)) {
            return;
        }
        if let Some(text) = results.add(texts + 1, &generation) {
            texts += 1;
            if !text.is_empty() {
                written = sink.write(&text);
            }
        }
        // The reader has closed the pipe (`| head`), so the work is pointless.
        stop.fetch_or(written.is_err(), Ordering::Relaxed);
        statistics.add(&generation);
        if undetermined {
            scarce.add(&job.target.constraint, &job.root, &generation);
        }
        let missing = statistics.generated - statistics.satisfied;
        let message = if missing > 0 { format!("{missing} not found") } else { String::new() };
        progress.set(statistics.generated, &message);
    });
    progress.finish();
    let failure = generated.err();
    if texts > 0 && written.is_ok() {
        let rest = results.finish()?;
        if !rest.is_empty() {
            written = sink.write(rest);
        }
    }
    let end = match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => End::ReaderGone,
        Err(error) => return Err(error).context("cannot write the results"),
        Ok(()) if statistics.generated == quota.count => End::Complete,
        Ok(()) if stop.load(Ordering::Relaxed) => End::Interrupted,
        Ok(()) => End::NoMoreDistinct,
    };
    Ok(Run { statistics, scarce, texts, end, failure })
}
