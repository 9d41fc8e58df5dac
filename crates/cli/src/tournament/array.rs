//! The shard that a scheduler's array job gives a process, in environment variables.

use std::env;

use super::Shard;

/// How a scheduler tells the tasks of an array which of how many they are.
struct Array {
    /// The variable with the task's number.
    index: &'static str,
    /// The number of the first task: a variable that has it, or what it always is.
    first: First,
    /// How far the numbers are apart, if that may be more than 1.
    step: Option<Step>,
    /// How many tasks there are, or the number of the last one.
    size: Size,
}

enum First {
    Named(&'static str),
    Always(u64),
}

/// A variable that says how far the numbers of the tasks are apart.
enum Step {
    Any(&'static str),
    /// It must be 1: `--array=1-7:6` is no other array than `--array=1,7`, some tasks that are started again.
    One(&'static str),
}

enum Size {
    /// A variable that says how many, and one that says the last one's number: if a user starts some tasks again,
    /// `--array=1,7`, their number is not that of the shards.
    Count(&'static str, Option<&'static str>),
    Last(&'static str),
}

/// The schedulers that are known.
const ARRAYS: [Array; 6] = [
    // Slurm.
    Array {
        index: "SLURM_ARRAY_TASK_ID",
        first: First::Named("SLURM_ARRAY_TASK_MIN"),
        step: Some(Step::One("SLURM_ARRAY_TASK_STEP")),
        size: Size::Count("SLURM_ARRAY_TASK_COUNT", Some("SLURM_ARRAY_TASK_MAX")),
    },
    // Kubernetes, Indexed Jobs; the manifest sets the second one.
    Array {
        index: "JOB_COMPLETION_INDEX",
        first: First::Always(0),
        step: None,
        size: Size::Count("JOB_COMPLETION_COUNT", None),
    },
    // Grid Engine, in which a job without an array has the number "undefined".
    Array {
        index: "SGE_TASK_ID",
        first: First::Named("SGE_TASK_FIRST"),
        step: Some(Step::Any("SGE_TASK_STEPSIZE")),
        size: Size::Last("SGE_TASK_LAST"),
    },
    // AWS Batch.
    Array {
        index: "AWS_BATCH_JOB_ARRAY_INDEX",
        first: First::Always(0),
        step: None,
        size: Size::Count("AWS_BATCH_JOB_ARRAY_SIZE", None),
    },
    // Google Batch.
    Array {
        index: "BATCH_TASK_INDEX",
        first: First::Always(0),
        step: None,
        size: Size::Count("BATCH_TASK_COUNT", None),
    },
    // Google Cloud Run.
    Array {
        index: "CLOUD_RUN_TASK_INDEX",
        first: First::Always(0),
        step: None,
        size: Size::Count("CLOUD_RUN_TASK_COUNT", None),
    },
];

impl Shard {
    /// What a user says: `I/N`, or `auto` for the part that the scheduler gave this process in its environment.
    ///
    /// # Errors
    /// What was expected, with the names of the variables.
    pub fn given(text: &str) -> Result<Shard, String> {
        match text {
            "auto" => shard(|name| env::var(name).ok()),
            text => text.parse(),
        }
    }
}

/// The shard of this process, where `variable` has the value of an environment variable.
///
/// # Errors
/// What was expected, with the names of the variables.
fn shard(variable: impl Fn(&str) -> Option<String>) -> Result<Shard, String> {
    let is_set = |name: &str| variable(name).is_some_and(|value| value != "undefined");
    let mut set = ARRAYS.iter().filter(|array| is_set(array.index));
    let Some(array) = set.next() else {
        let names: Vec<String> = ARRAYS.iter().map(Array::names).collect();
        return Err(format!("auto needs an array job: none of {} is set; or give I/N", names.join(", ")));
    };
    // A workflow inside a job of another scheduler: nobody can know which of the two is meant.
    if let Some(other) = set.next() {
        return Err(format!("auto: both {} and {} are set; give I/N", array.index, other.index));
    }
    array.shard(&variable)
}

impl Array {
    fn names(&self) -> String {
        let (Size::Count(size, _) | Size::Last(size)) = self.size;
        format!("{} with {size}", self.index)
    }

    fn shard(&self, variable: &impl Fn(&str) -> Option<String>) -> Result<Shard, String> {
        let number = |name: &str| {
            let value =
                variable(name).ok_or_else(|| format!("auto: {} is set, but {name} is not", self.index))?;
            value
                .trim()
                .parse::<u64>()
                .map_err(|_| format!("auto: {name}: expected a number, found {value:?}"))
        };
        let index = number(self.index)?;
        let first = match self.first {
            First::Named(name) => number(name)?,
            First::Always(first) => first,
        };
        let given = |name: &str| if variable(name).is_some() { number(name) } else { Ok(1) };
        let step = match self.step {
            Some(Step::Any(name)) => given(name)?.max(1),
            Some(Step::One(name)) => match given(name)? {
                1 => 1,
                step => return Err(format!("auto: {name} is {step}, expected 1; give I/N")),
            },
            None => 1,
        };
        let from_first = |number: u64| {
            number.checked_sub(first).filter(|distance| distance % step == 0).map(|distance| distance / step)
        };
        let (of, is_whole) = match self.size {
            Size::Count(name, last) => {
                let (of, last) = (number(name)?, last.filter(|name| variable(name).is_some()));
                let is_whole =
                    last.map(number).transpose()?.is_none_or(|last| from_first(last) == of.checked_sub(1));
                (of, is_whole)
            }
            Size::Last(name) => from_first(number(name)?).map_or((0, false), |distance| (distance + 1, true)),
        };
        match from_first(index) {
            // The others may be tasks that are tried again.
            Some(before) if first <= 1 && is_whole && before < of && of <= Shard::MOST => {
                Ok(Shard { number: before + 1, of })
            }
            _ => Err(format!(
                "auto: expected {} to be one of up to {} tasks in a row from 0 or 1, found {index} of {of} from \
                 {first}; give I/N to try some of them again",
                self.index,
                Shard::MOST
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Result<String, String> {
        let value = |name: &str| {
            variables.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned())
        };
        shard(value).map(|shard| shard.to_string())
    }

    fn slurm(id: &str, min: &str, count: &str, step: &str) -> Result<String, String> {
        of(&[
            ("SLURM_ARRAY_TASK_ID", id),
            ("SLURM_ARRAY_TASK_MIN", min),
            ("SLURM_ARRAY_TASK_COUNT", count),
            ("SLURM_ARRAY_TASK_STEP", step),
        ])
    }

    #[test]
    fn what_is_not_auto_is_read_as_it_stands() {
        assert_eq!(Shard::given("2/3"), Ok(Shard { number: 2, of: 3 }));
        assert!(Shard::given("3/2").is_err());
    }

    #[test]
    fn arrays_count_from_wherever_they_begin() {
        assert_eq!(slurm("1", "1", "8", "1").as_deref(), Ok("1/8"));
        assert_eq!(slurm("0", "0", "8", "1").as_deref(), Ok("1/8"));
        assert_eq!(slurm("7", "0", "8", "1").as_deref(), Ok("8/8"));
        let kubernetes = [("JOB_COMPLETION_INDEX", "7"), ("JOB_COMPLETION_COUNT", "8")];
        assert_eq!(of(&kubernetes).as_deref(), Ok("8/8"));
        let grid = [
            ("SGE_TASK_ID", "3"),
            ("SGE_TASK_FIRST", "1"),
            ("SGE_TASK_LAST", "5"),
            ("SGE_TASK_STEPSIZE", "2"),
        ];
        assert_eq!(of(&grid).as_deref(), Ok("2/3"));
    }

    #[test]
    fn what_is_no_array_is_told_by_the_names_of_its_variables() {
        let none = of(&[("SGE_TASK_ID", "undefined")]).unwrap_err();
        for name in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "JOB_COMPLETION_COUNT", "SGE_TASK_LAST"] {
            assert!(none.contains(name), "{none}");
        }
        let half = of(&[("JOB_COMPLETION_INDEX", "0")]).unwrap_err();
        assert_eq!(half, "auto: JOB_COMPLETION_INDEX is set, but JOB_COMPLETION_COUNT is not");
        assert!(
            of(&[("JOB_COMPLETION_INDEX", "a"), ("JOB_COMPLETION_COUNT", "8")])
                .unwrap_err()
                .contains("\"a\"")
        );
        let both = [("JOB_COMPLETION_INDEX", "0"), ("SLURM_ARRAY_TASK_ID", "1")];
        assert!(of(&both).unwrap_err().contains("both"));
    }

    #[test]
    fn some_tasks_alone_are_not_taken_for_all() {
        // `--array=3`, `--array=3,7` and `--array=1,7`.
        for (id, min, count, max) in [("3", "3", "1", "3"), ("3", "3", "2", "7"), ("1", "1", "2", "7")] {
            let variables = [
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_MIN", min),
                ("SLURM_ARRAY_TASK_COUNT", count),
                ("SLURM_ARRAY_TASK_MAX", max),
            ];
            assert!(of(&variables).unwrap_err().contains("give I/N"), "{variables:?}");
        }
        assert_eq!(
            slurm("7", "1", "2", "6").unwrap_err(),
            "auto: SLURM_ARRAY_TASK_STEP is 6, expected 1; give I/N"
        );
    }
}
