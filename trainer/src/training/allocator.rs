/// Makes the C library keep freed memory for reuse instead of returning it to the system.
///
/// Every training step frees the same few megabytes and allocates them again. With the default thresholds, glibc
/// returns them to the system each time, and the page faults take a fifth of the time on a CPU. With other C libraries,
/// this function does nothing.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        const M_TRIM_THRESHOLD: i32 = -1;
        const M_MMAP_THRESHOLD: i32 = -3;
        const BYTES: i32 = 512 << 20;
        unsafe extern "C" {
            safe fn mallopt(parameter: i32, value: i32) -> i32;
        }
        // If the call fails (0), training is only slower.
        mallopt(M_TRIM_THRESHOLD, BYTES);
        mallopt(M_MMAP_THRESHOLD, BYTES);
    }
}
