/// Waiting numbers in order of a key, the least first: a heap.
///
/// What no longer waits stays until it comes up or the queue is swept; its owner tells by the stamp.
struct WaitingQueue: Sendable {
    struct Item: Sendable {
        var key: Int64
        let number: UInt32
        let stamp: UInt32
    }

    private(set) var items: [Item] = []

    var first: Item? { items.first }
    var count: Int { items.count }
    var byteCount: Int { items.capacity * MemoryLayout<Item>.stride }

    mutating func push(_ item: Item) {
        var hole = items.count
        items.append(item)
        while hole > 0 {
            let parent = (hole - 1) / 2
            guard item.key < items[parent].key else { break }
            items[hole] = items[parent]
            hole = parent
        }
        items[hole] = item
    }

    @discardableResult
    mutating func pop() -> Item? {
        guard let first = items.first, let last = items.popLast() else { return nil }
        if !items.isEmpty { sink(last, from: 0) }
        return first
    }

    /// Keeps what still waits.
    mutating func sweep(_ waits: (Item) -> Bool) {
        items = items.filter(waits)
        for index in stride(from: items.count / 2 - 1, through: 0, by: -1) { sink(items[index], from: index) }
    }

    private mutating func sink(_ item: Item, from start: Int) {
        var hole = start
        while true {
            var child = 2 * hole + 1
            guard child < items.count else { break }
            if child + 1 < items.count, items[child + 1].key < items[child].key { child += 1 }
            guard items[child].key < item.key else { break }
            items[hole] = items[child]
            hole = child
        }
        items[hole] = item
    }
}
