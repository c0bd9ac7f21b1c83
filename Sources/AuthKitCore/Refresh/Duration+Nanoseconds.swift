extension Duration {
    /// Whole nanoseconds, towards zero; a century and more counts as a century, so that sums of them stay in range.
    var nanoseconds: Int64 { clampedNanoseconds.clampedToCentury }
}

extension Int64 {
    /// The same nanoseconds, a century of them at most.
    var clampedToCentury: Int64 {
        let century: Int64 = 100 * 366 * 86_400 * 1_000_000_000
        return Swift.min(Swift.max(self, -century), century)
    }
}
