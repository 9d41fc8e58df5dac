use std::time::Duration;

/// The rate per second; 0 if `time` is zero.
pub fn rate(count: u64, time: Duration) -> u64 {
    let seconds = time.as_secs_f64();
    if seconds > 0.0 { (count as f64 / seconds).round() as u64 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_without_time_is_zero() {
        assert_eq!(rate(5, Duration::ZERO), 0);
        assert_eq!(rate(812, Duration::from_millis(90)), 9022);
    }
}
