//! The results of a file of problems: a line each, as they come, so that a run that was ended goes on.

use std::{
    collections::HashSet,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::Path,
};

use anyhow::{Context as _, bail, ensure};

use super::{answer::Answer, input::Asked};

/// Where the lines go.
pub(super) enum Results {
    /// To standard output.
    Printed,
    /// Into a file, behind what is there.
    Kept(File),
}

/// What a run that goes on begins with.
pub(super) struct Begun {
    pub results: Results,
    /// The answers that are there.
    pub answers: Vec<Answer>,
}

impl Results {
    /// Opens the file `path`, or standard output; with `resume` what is in the file stays, but for half an answer at its
    /// end.
    ///
    /// # Errors
    /// If something is there and `resume` is not set, or it does not answer `question` of the problems asked.
    pub(super) fn open(
        path: Option<&Path>,
        resume: bool,
        asked: &[Asked],
        question: &str,
    ) -> anyhow::Result<Begun> {
        let Some(path) = path else { return Ok(Begun { results: Results::Printed, answers: Vec::new() }) };
        let name = path.display();
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error).with_context(|| name.to_string()),
        };
        ensure!(bytes.is_empty() || resume, "{name}: it is there already; --resume goes on with it");
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let (whole, half) = bytes.split_at(end);
        let common = half.len().min(Answer::BEGINS.len());
        ensure!(
            half[..common] == Answer::BEGINS.as_bytes()[..common],
            "{name}: its last line is neither an answer of entente prove nor the beginning of one"
        );
        let whole = str::from_utf8(whole).with_context(|| name.to_string())?;
        let known: HashSet<(u64, &str)> = asked.iter().map(|asked| (asked.line, &*asked.text)).collect();
        let mut answers: Vec<Answer> = Vec::new();
        let mut lines = HashSet::new();
        for (number, line) in (1..).zip(whole.lines()) {
            let answer: Answer = serde_json::from_str(line)
                .with_context(|| format!("{name}, line {number}: expected an answer of entente prove"))?;
            if !known.contains(&(answer.line, &*answer.problem)) {
                bail!(
                    "{name}, line {number}: it answers line {}, {:?}, which is not asked",
                    answer.line,
                    answer.problem
                );
            }
            if answer.question != question {
                bail!(
                    "{name}, line {number}: it answers {:?}; what is asked now is {question:?}",
                    answer.question
                );
            }
            if !lines.insert(answer.line) {
                bail!("{name}, line {number}: line {} has been answered before", answer.line);
            }
            answers.push(answer);
        }
        let open = || -> io::Result<File> {
            let file = OpenOptions::new().append(true).create(true).open(path)?;
            file.set_len(whole.len() as u64)?;
            Ok(file)
        };
        let results = Results::Kept(open().with_context(|| name.to_string())?);
        Ok(Begun { results, answers })
    }

    /// Writes an answer.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&mut self, text: &str) -> io::Result<()> {
        match self {
            Results::Printed => {
                let mut output = io::stdout().lock();
                output.write_all(text.as_bytes())?;
                output.flush()
            }
            Results::Kept(file) => file.write_all(text.as_bytes()),
        }
    }
}
