//! The results for a file of problems, one line each, written as soon as they are known so that a run can be resumed.

use std::{
    collections::HashSet,
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::Path,
};

use anyhow::{Context as _, bail, ensure};

use super::{answer::Answer, input::Asked};
use crate::whole_file::WholeFile;

/// The longest line of an answer, in bytes: ten thousand games of two hundred plies have a quarter of it.
const MAX_LINE: u64 = 64 << 20;

/// The destination of the lines.
pub(super) enum Results {
    /// Standard output.
    Printed,
    /// A file, to which lines are appended.
    Kept(File),
}

/// Open results, and the answers of earlier runs.
pub(super) struct Begun {
    pub results: Results,
    /// The answers of earlier runs.
    pub answers: Vec<Answer>,
}

impl Results {
    /// Opens the file `path`, or standard output. With `resume` the file keeps its contents, except for an incomplete
    /// line at its end.
    ///
    /// # Errors
    /// If the file is not empty and `resume` is not set, or if its answers are not answers to `question` about the
    /// problems in `asked`.
    pub(super) fn open(
        path: Option<&Path>,
        resume: bool,
        asked: &[Asked],
        question: &str,
    ) -> anyhow::Result<Begun> {
        let Some(path) = path else { return Ok(Begun { results: Results::Printed, answers: Vec::new() }) };
        let name = path.display();
        let mut earlier: Box<dyn BufRead> = match File::open(path) {
            Ok(file) => Box::new(BufReader::new(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Box::new(io::empty()),
            Err(error) => return Err(error).with_context(|| name.to_string()),
        };
        let is_empty = earlier.fill_buf().with_context(|| name.to_string())?.is_empty();
        ensure!(is_empty || resume, "{name}: the file exists; --resume continues it");
        let known: HashSet<(u64, &str)> = asked.iter().map(|asked| (asked.line, &*asked.text)).collect();
        let mut answers: Vec<Answer> = Vec::new();
        let mut lines = HashSet::new();
        // The length of the whole lines.
        let mut length = 0;
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let read = earlier.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
            let read = read.with_context(|| name.to_string())? as u64;
            if !line.ends_with(b"\n") {
                ensure!(
                    read < MAX_LINE
                        && line.iter().zip(Answer::BEGINS.bytes()).all(|(one, other)| *one == other),
                    "{name}: the last line is neither an answer of entente prove nor the beginning of one"
                );
                break;
            }
            length += read;
            let text = str::from_utf8(&line).with_context(|| format!("{name}, line {number}"))?;
            let answer: Answer = serde_json::from_str(text)
                .with_context(|| format!("{name}, line {number}: expected an answer of entente prove"))?;
            if !known.contains(&(answer.line, &*answer.problem)) {
                bail!(
                    "{name}, line {number}: this answers line {}, {:?}, which is not in the input",
                    answer.line,
                    answer.problem
                );
            }
            if answer.question != question {
                bail!(
                    "{name}, line {number}: this answers the question {:?}; now the question is {question:?}",
                    answer.question
                );
            }
            if !lines.insert(answer.line) {
                bail!("{name}, line {number}: line {} was already answered", answer.line);
            }
            answers.push(answer);
        }
        let open = || -> io::Result<File> {
            let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
            file.set_len(length)?;
            Ok(file)
        };
        let results = Results::Kept(open().with_context(|| name.to_string())?);
        Ok(Begun { results, answers })
    }

    /// Writes the line of an answer.
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

    /// Puts the lines of the file `path` into the order of the input. Answers are written as soon as they are known,
    /// and several threads do not find them in order.
    ///
    /// Nothing is done if `path` is not the file that was opened, because another program has renamed or replaced it.
    ///
    /// # Errors
    /// If the file cannot be written anew. Then it is unchanged.
    pub(super) fn sort(self, path: Option<&Path>) -> io::Result<()> {
        let (Results::Kept(mut file), Some(path)) = (self, path) else { return Ok(()) };
        // Windows tells nothing about its devices.
        if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Ok(());
        }
        let mut text = String::new();
        file.seek(SeekFrom::Start(0))?;
        file.read_to_string(&mut text)?;
        let number =
            |line: &&str| serde_json::from_str::<Answer>(line).map_or(u64::MAX, |answer| answer.line);
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        if lines.is_sorted_by_key(number) || fs::read_to_string(path).ok().as_ref() != Some(&text) {
            return Ok(());
        }
        lines.sort_by_key(number);
        let mut sorted = WholeFile::create(path)?;
        lines.iter().try_for_each(|line| sorted.write_all(line.as_bytes()))?;
        // Windows may refuse to replace a file that is open.
        drop(file);
        sorted.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_sorted_unless_the_file_was_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers.jsonl");
        let answer = |line: u64| {
            format!(
                "{{\"line\":{line},\"problem\":\"p\",\"question\":\"q\",\"outcome\":\"none\",\"decided\":true,\
                 \"nodes\":1,\"seconds\":0.1}}\n"
            )
        };
        let opened = |replacement: Option<&str>| {
            fs::write(&path, "").unwrap();
            let mut results = Results::open(Some(&path), false, &[], "q").unwrap().results;
            [2, 10, 1].iter().for_each(|line| results.write(&answer(*line)).unwrap());
            if let Some(replacement) = replacement {
                fs::remove_file(&path).unwrap();
                fs::write(&path, replacement).unwrap();
            }
            results.sort(Some(&path)).unwrap();
            fs::read_to_string(&path).unwrap()
        };
        assert_eq!(opened(None), [1, 2, 10].map(answer).concat());
        // Windows may refuse to make a new file under the name of one that is open.
        if cfg!(unix) {
            assert_eq!(opened(Some("mine\n")), "mine\n");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
