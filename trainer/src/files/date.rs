use std::time::{SystemTime, UNIX_EPOCH};

/// The date of `time` in UTC, such as `2026-01-31`. Times before 1970 give 1970-01-01.
///
/// The calendar is computed as in H. Hinnant, "chrono-compatible low-level date algorithms": years begin in March, so
/// that the leap day is the last day of a year.
pub fn utc_date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |duration| duration.as_secs());
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn leap_days_and_ends_of_years_are_right() {
        let date = |seconds| utc_date(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(951_782_400), "2000-02-29");
        assert_eq!(date(1_709_164_800), "2024-02-29");
        assert_eq!(date(1_767_225_599), "2025-12-31");
        assert_eq!(date(1_767_225_600), "2026-01-01");
    }
}
