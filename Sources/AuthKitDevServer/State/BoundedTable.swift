/// A dictionary that forgets its oldest entries instead of growing.
struct BoundedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var entries: [Key: Value] = [:]
    private var order: [Key] = []
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { entries.count }
    var values: some Collection<Value> { entries.values }

    subscript(key: Key) -> Value? {
        get { entries[key] }
        set {
            if newValue != nil, entries[key] == nil { makeRoom(for: key) }
            entries[key] = newValue
        }
    }

    /// Takes an entry out.
    mutating func remove(_ key: Key) -> Value? { entries.removeValue(forKey: key) }

    private mutating func makeRoom(for key: Key) {
        order.append(key)
        guard order.count > limit + limit / 4 + 1 || entries.count >= limit else { return }
        // A quarter is dropped at once, so that the cost of moving the order is shared by many insertions.
        var live = order.dropLast().filter { entries[$0] != nil }
        if live.count >= limit {
            let excess = live.count - limit + max(1, limit / 4)
            for oldest in live.prefix(excess) { entries[oldest] = nil }
            live.removeFirst(min(excess, live.count))
        }
        order = live + [key]
    }
}
