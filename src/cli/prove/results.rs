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
    /// Opens the file `path`, or standard output; with `resume` what is in the file stays, but for half a line at its end.
    ///
    /// # Errors
    /// If something is there and `resume` is not set, or it is of other problems.
    pub fn open(path: Option<&Path>, resume: bool, asked: &[Asked]) -> anyhow::Result<Begun> {
        let Some(path) = path else { return Ok(Begun { results: Results::Printed, answers: Vec::new() }) };
        let name = path.display();
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).with_context(|| name.to_string()),
        };
        ensure!(text.is_empty() || resume, "{name}: it is there already; --resume goes on with it");
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let known: HashSet<(u64, &str)> = asked.iter().map(|asked| (asked.line, &*asked.text)).collect();
        let mut answers: Vec<Answer> = Vec::new();
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
    pub fn write(&mut self, text: &str) -> io::Result<()> {
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
