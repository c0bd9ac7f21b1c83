#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Which connections are open and which of them have a whole request, so that idle ones cannot keep others out.
struct ConnectionTable {
    private struct Entry {
        let order: UInt64
        var isBusy = false
    }

    private let limit: Int
    private var nextOrder: UInt64 = 0
    private var entries: [Int32: Entry] = [:]

    init(limit: Int) { self.limit = max(1, limit) }

    /// Adds a connection; past the limit the oldest that has no whole request is shut, which its daemon notices.
    mutating func opened(_ socket: Int32) {
        nextOrder += 1
        entries[socket] = Entry(order: nextOrder)
        guard entries.count > limit else { return }
        let idle = entries.filter { !$0.value.isBusy && $0.key != socket }
        guard let oldest = idle.min(by: { $0.value.order < $1.value.order }) else { return }
        // ENOTCONN where the other side has left already.
        _ = shutdown(oldest.key, Int32(SHUT_RDWR))
    }

    mutating func closed(_ socket: Int32) { entries[socket] = nil }

    mutating func setBusy(_ socket: Int32, _ isBusy: Bool) { entries[socket]?.isBusy = isBusy }
}
