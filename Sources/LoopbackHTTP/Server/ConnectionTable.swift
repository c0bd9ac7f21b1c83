#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Which connections are open and which of them have a whole request, so that idle ones cannot keep others out.
struct ConnectionTable {
    private struct Entry {
        var idleSince: ContinuousClock.Instant?
    }

    /// How long a connection may take to say what it wants where others wait for its place.
    private static let patience = Duration.milliseconds(500)

    private let limit: Int
    private var entries: [Int32: Entry] = [:]

    init(limit: Int) { self.limit = max(1, limit) }

    /// Whether there are more connections than there should be.
    var isCrowded: Bool { entries.count > limit }

    mutating func opened(_ socket: Int32) { entries[socket] = Entry(idleSince: .now) }

    mutating func closed(_ socket: Int32) { entries[socket] = nil }

    mutating func setBusy(_ socket: Int32, _ isBusy: Bool) { entries[socket]?.idleSince = isBusy ? nil : .now }

    /// Shuts the connections that have been idle too long, which their daemon notices; only where it is crowded.
    func thinOut() {
        guard isCrowded else { return }
        let now = ContinuousClock.now
        for (socket, entry) in entries {
            guard let since = entry.idleSince, now - since > Self.patience else { continue }
            // ENOTCONN where the other side has left already.
            _ = shutdown(socket, Int32(SHUT_RDWR))
        }
    }
}
