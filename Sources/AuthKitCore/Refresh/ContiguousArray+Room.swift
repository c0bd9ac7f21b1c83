extension ContiguousArray {
    /// Makes room for more where there is none: an eighth of what is used, not as much again, since the room that is
    /// not used counts too.
    mutating func makeRoom(for more: Int = 1) {
        guard count + more > capacity else { return }
        reserveCapacity(count + Swift.max(64, more, count / 8))
    }
}
