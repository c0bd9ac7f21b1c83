extension Duration {
    /// Whole nanoseconds, towards zero; a century and more counts as a century, so that sums of them stay in range.
    var nanoseconds: Int64 {
        let century = Duration.seconds(100 * 366 * 86_400)
        return min(max(self, .zero - century), century).clampedNanoseconds
    }
}
