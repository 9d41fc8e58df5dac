//! The shard of a task in a scheduler's array job, from environment variables.

use std::env;

use super::Shard;

/// The environment variables in which a scheduler numbers the tasks of an array.
struct Array {
    /// The variable with the task's number.
    index: &'static str,
    /// The number of the first task: a variable or a constant.
    first: First,
    /// The step between the numbers, if it may be greater than 1.
    step: Option<Step>,
    /// The number of tasks, or the number of the last task.
    size: Size,
}

enum First {
    Named(&'static str),
    Always(u64),
}

/// The variable with the step between the numbers of tasks.
enum Step {
    Any(&'static str),
    /// The step must be 1: `--array=1-7:6` gives the same array as `--array=1,7`, which may restart some tasks.
    One(&'static str),
}

enum Size {
    /// The variables with the number of tasks and the number of the last task. If a user restarts some tasks with
    /// `--array=1,7`, the number of tasks is not the number of shards.
    Count(&'static str, Option<&'static str>),
    Last(&'static str),
}

/// The known schedulers.
const ARRAYS: [Array; 6] = [
    // Slurm.
    Array {
        index: "SLURM_ARRAY_TASK_ID",
        first: First::Named("SLURM_ARRAY_TASK_MIN"),
        step: Some(Step::One("SLURM_ARRAY_TASK_STEP")),
        size: Size::Count("SLURM_ARRAY_TASK_COUNT", Some("SLURM_ARRAY_TASK_MAX")),
    },
    // Kubernetes, Indexed Jobs; the manifest of the job sets the second variable.
    Array {
        index: "JOB_COMPLETION_INDEX",
        first: First::Always(0),
        step: None,
        size: Size::Count("JOB_COMPLETION_COUNT", None),
    },
    // Grid Engine. The number is "undefined" in a job without an array.
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
    /// Parses `I/N`, or `auto` for the shard that the scheduler gives this process in environment variables.
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

/// The shard of this process. `variable` gives the value of an environment variable.
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
    // A workflow inside a job of another scheduler, so that either may be meant.
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
            // Otherwise the array may consist of restarted tasks.
            Some(before) if first <= 1 && is_whole && before < of && of <= Shard::MAX => {
                Ok(Shard { number: before + 1, of })
            }
            _ => Err(format!(
                "auto: expected {} to be one of up to {} consecutive tasks from 0 or 1, found {index} of {of} from \
                 {first}; give I/N to restart some of them",
                self.index,
                Shard::MAX
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
    fn explicit_shards_are_parsed() {
        assert_eq!(Shard::given("2/3"), Ok(Shard { number: 2, of: 3 }));
        assert!(Shard::given("3/2").is_err());
    }

    #[test]
    fn arrays_may_begin_at_0_or_1() {
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
    fn errors_name_the_variables() {
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
    fn restarted_tasks_are_not_taken_for_the_whole_array() {
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
