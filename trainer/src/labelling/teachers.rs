use std::{fs, path::PathBuf, str::FromStr};

use anyhow::Context as _;
use entente_network::{
    NetworkError, NetworkKind as _, Policy, PolicySession, Query,
    encoding::{goal_policy::RatingScale, softmax},
};

use crate::{
    files::{file_name, sha256},
    labels::TeacherFile,
};

/// A teacher on the command line: `RATING=FILE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeacherName {
    /// The rating, on Lichess's scale, of the players that it predicts.
    pub rating: u16,
    /// The ONNX file.
    pub path: PathBuf,
}

impl FromStr for TeacherName {
    type Err = String;

    fn from_str(text: &str) -> Result<TeacherName, String> {
        let (rating, path) =
            text.split_once('=').ok_or("expected RATING=FILE, for example 1500=maia-1500.onnx")?;
        let rating = rating.parse().ok().filter(|rating| (1..=4000).contains(rating));
        let rating = rating.ok_or("expected a rating from 1 to 4000 before '='")?;
        Ok(TeacherName { rating, path: path.into() })
    }
}

/// Converts a rating to the scale of Lichess; `None` for ratings over the board. The difference for chess.com was
/// measured on 1,700 positions: the moves of players rated 800 to 1500 are predicted best by the teacher with a rating
/// about 300 points higher.
fn as_on_lichess(rating: u16, scale: RatingScale) -> Option<u16> {
    match scale {
        RatingScale::Online => Some(rating),
        RatingScale::ChessCom => Some(rating.saturating_add(300)),
        RatingScale::Fide => None,
    }
}

/// Policies that each predict players of one rating.
pub struct Teachers {
    ratings: Vec<u16>,
    policies: Vec<Policy>,
    files: Vec<TeacherFile>,
}

/// The distance from a teacher's rating at which its weight becomes 0.
const REACH: u16 = 600;
/// Ratings up to this far outside the teachers' range count as the nearest teacher's rating.
const MARGIN: u16 = 100;

impl Teachers {
    /// Reads the teachers' files.
    ///
    /// # Errors
    ///
    /// If there are no teachers, two have the same rating, or a file cannot be read.
    pub fn open(names: &[TeacherName]) -> anyhow::Result<Teachers> {
        let mut names = names.to_vec();
        names.sort_by_key(|name| name.rating);
        anyhow::ensure!(!names.is_empty(), "no teacher given");
        if let Some(pair) = names.windows(2).find(|pair| pair[0].rating == pair[1].rating) {
            anyhow::bail!("two teachers have the rating {}", pair[0].rating);
        }
        let (mut policies, mut files) = (Vec::new(), Vec::new());
        for TeacherName { rating, path } in &names {
            let bytes = fs::read(path).with_context(|| path.display().to_string())?;
            policies.push(Policy::from_bytes(&path.display().to_string(), &bytes)?);
            let name = file_name(path);
            files.push(TeacherFile { rating: *rating, name, sha256: sha256(&bytes) });
        }
        Ok(Teachers { ratings: names.iter().map(|name| name.rating).collect(), policies, files })
    }

    /// The files, for descriptions.
    pub fn files(&self) -> &[TeacherFile] {
        &self.files
    }

    /// The weights of the teachers for players of a rating. A weight falls linearly with the distance from the
    /// teacher's rating and is 0 from `REACH` on. This predicts human moves better than the two nearest teachers
    /// alone, because the errors of teachers differ. `None` for ratings over the board and for ratings far from every
    /// teacher's.
    pub fn shares(&self, rating: u16, scale: RatingScale) -> Option<Vec<(usize, f32)>> {
        let rating = as_on_lichess(rating, scale)?;
        let [first, last] = [self.ratings[0], self.ratings[self.ratings.len() - 1]];
        if !(first.saturating_sub(MARGIN)..=last + MARGIN).contains(&rating) {
            return None;
        }
        let rating = rating.clamp(first, last);
        let nearness = |of: &u16| f32::from(REACH.saturating_sub(of.abs_diff(rating)));
        let sum: f32 = self.ratings.iter().map(nearness).sum();
        let shares = self.ratings.iter().map(nearness).enumerate().map(|(index, near)| (index, near / sum));
        Some(shares.filter(|(_, share)| *share > 0.0).collect())
    }

    /// Only the teacher nearest to a rating, on any scale, with the weight 1.
    pub fn nearest(&self, rating: u16) -> Vec<(usize, f32)> {
        let distance = |index: &usize| self.ratings[*index].abs_diff(rating);
        (0..self.ratings.len()).min_by_key(distance).map(|index| (index, 1.0)).into_iter().collect()
    }

    /// A session for each teacher.
    pub fn sessions(&self) -> Vec<PolicySession> {
        self.policies.iter().map(Policy::session).collect()
    }
}

/// The probabilities of the moves of each query, in order, averaged over the sessions with the weights `shares`.
///
/// # Errors
///
/// If a network cannot be run.
pub fn expected(
    sessions: &mut [PolicySession],
    queries: &[Query<'_>],
    shares: &[Vec<(usize, f32)>],
) -> Result<Vec<Vec<f32>>, NetworkError> {
    let mut all: Vec<Vec<f32>> = queries.iter().map(|query| vec![0.0; query.moves.len()]).collect();
    for (number, session) in sessions.iter_mut().enumerate() {
        let share =
            |index: &usize| shares[*index].iter().find(|(one, _)| *one == number).map(|(_, share)| *share);
        let asked: Vec<usize> = (0..queries.len()).filter(|index| share(index).is_some()).collect();
        let asks: Vec<Query<'_>> = asked.iter().map(|index| queries[*index]).collect();
        for (index, prediction) in asked.iter().zip(session.ask(&asks)?) {
            let share = share(index).unwrap_or_default();
            for (sum, probability) in all[*index].iter_mut().zip(softmax(&prediction.logits)) {
                *sum += share * probability;
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn teachers(ratings: &[u16]) -> Teachers {
        Teachers { ratings: ratings.to_vec(), policies: Vec::new(), files: Vec::new() }
    }

    #[test]
    fn nearer_teachers_count_more_and_far_ratings_have_no_label() {
        let teachers = teachers(&[1100, 1300, 1900]);
        let shares = |rating| teachers.shares(rating, RatingScale::Online);
        assert_eq!(shares(1300), Some(vec![(0, 0.4), (1, 0.6)]));
        // The weights are 100, 300 and 300.
        assert_eq!(shares(1600), Some(vec![(0, 100.0 / 700.0), (1, 300.0 / 700.0), (2, 300.0 / 700.0)]));
        assert_eq!(shares(1000), shares(1100), "the same as for the nearest teacher");
        assert_eq!(shares(2000), Some(vec![(2, 1.0)]));
        assert_eq!([shares(999), shares(2001)], [None, None]);
        assert_eq!(teachers.shares(1500, RatingScale::Fide), None);
        assert_eq!(teachers.shares(1000, RatingScale::ChessCom), shares(1300));
        assert_eq!("1500=a=b.onnx".parse::<TeacherName>().unwrap().path, PathBuf::from("a=b.onnx"));
        assert!("maia.onnx".parse::<TeacherName>().is_err());
    }

    #[test]
    fn the_rating_that_two_teachers_share_is_named() {
        let names =
            ["1100=a.onnx", "1900=b.onnx", "1500=c.onnx", "1500=d.onnx"].map(|name| name.parse().unwrap());
        let error = |names| Teachers::open(names).map(|_| ()).unwrap_err().to_string();
        assert_eq!(error(&names), "two teachers have the rating 1500");
        assert_eq!(error(&[]), "no teacher given");
    }
}
