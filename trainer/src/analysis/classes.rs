use kodama::{Method, linkage};

use super::Counter;

/// The distance between two distributions over plies: the average number of plies by which one must be shifted to
/// become the other (the Wasserstein distance of order 1).
pub(super) fn distance(one: &Counter, other: &Counter) -> f64 {
    let [totals, others] = [one, other].map(|counter| counter.total().max(1) as f64);
    let mut steps: Vec<(u32, f64)> = one.iter().map(|(ply, games)| (ply, games as f64 / totals)).collect();
    steps.extend(other.iter().map(|(ply, games)| (ply, -(games as f64) / others)));
    steps.sort_by_key(|(ply, _)| *ply);
    let mut difference = 0.0f64;
    let pairs = steps.windows(2).map(|pair| {
        difference += pair[0].1;
        difference.abs() * f64::from(pair[1].0 - pair[0].0)
    });
    pairs.sum()
}

/// Clusters distributions into `wanted` classes, or fewer if there are fewer distributions. Each distribution begins as
/// its own class. Then the two classes with the least average distance between their members are merged, again and
/// again (average linkage). Returns the class of each distribution, numbered from 1 by increasing mean; `None` for
/// empty distributions.
pub(super) fn classes(plies: &[&Counter], wanted: usize) -> Vec<Option<usize>> {
    let counted: Vec<usize> = (0..plies.len()).filter(|index| plies[*index].total() > 0).collect();
    let mut class = vec![None; plies.len()];
    // The members of each cluster. A merged cluster is appended, which is how kodama numbers clusters.
    let mut clusters: Vec<Option<Vec<usize>>> = counted.iter().map(|index| Some(vec![*index])).collect();
    if counted.len() > 1 {
        let mut distances: Vec<f64> = Vec::new();
        for (place, one) in counted.iter().enumerate() {
            distances.extend(counted[place + 1..].iter().map(|other| distance(plies[*one], plies[*other])));
        }
        let steps = linkage(&mut distances, counted.len(), Method::Average);
        for step in steps.steps().iter().take(counted.len().saturating_sub(wanted.max(1))) {
            let mut members = clusters[step.cluster1].take().unwrap_or_default();
            members.extend(clusters[step.cluster2].take().unwrap_or_default());
            clusters.push(Some(members));
        }
    }
    let mut left: Vec<(f64, Vec<usize>)> = Vec::new();
    for members in clusters.into_iter().flatten() {
        let means = members.iter().filter_map(|index| plies[*index].mean());
        left.push((means.sum::<f64>() / members.len() as f64, members));
    }
    left.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    for ((_, members), number) in left.iter().zip(1..) {
        members.iter().for_each(|index| class[*index] = Some(number));
    }
    class
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counter(plies: &[u32]) -> Counter {
        let mut counter = Counter::default();
        plies.iter().for_each(|ply| counter.add(*ply));
        counter
    }

    #[test]
    fn the_distance_is_the_average_shift_in_plies() {
        let close = |a: &[u32], b: &[u32], expected: f64| {
            let found = distance(&counter(a), &counter(b));
            assert!((found - expected).abs() < 1e-12, "{found}");
        };
        close(&[4, 6], &[4, 6, 4, 6], 0.0);
        close(&[4], &[10], 6.0);
        close(&[0, 1, 3], &[5, 6, 8], 5.0);
        close(&[1, 2, 9], &[1, 5], 2.0);
    }

    #[test]
    fn similar_distributions_share_a_class_and_early_classes_are_first() {
        let counters: Vec<Counter> = [&[20, 22][..], &[6, 8], &[21], &[], &[7], &[40]].map(counter).into();
        let all: Vec<&Counter> = counters.iter().collect();
        assert_eq!(classes(&all, 3), [Some(2), Some(1), Some(2), None, Some(1), Some(3)]);
        assert_eq!(classes(&all, 1), [Some(1), Some(1), Some(1), None, Some(1), Some(1)]);
        assert_eq!(classes(&all, 99).iter().flatten().max(), Some(&5));
    }
}
