#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// What a command has printed so far, in memory that is wiped.
final class PrintedText: Sendable {
    private let limit: Int
    private let bytes: Guarded<[UInt8]>

    /// Makes room for so many bytes, at once: an array that grows leaves its old bytes behind.
    init(limit: Int) {
        self.limit = limit
        var room: [UInt8] = []
        room.reserveCapacity(limit)
        bytes = Guarded(room)
    }

    deinit {
        bytes.withLock { ConstantTime.wipe(&$0) }
    }

    /// Whether there is no room left.
    var isFull: Bool { bytes.withLock { $0.count >= limit } }

    /// Gives the bytes away.
    func take() -> [UInt8] {
        bytes.withLock { bytes in
            let taken = bytes
            bytes = []
            return taken
        }
    }

    /// Reads what a pipe has at the moment; false when that is nothing, or nothing more to come.
    func read(from descriptor: Int32) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 512)
        defer { ConstantTime.wipe(&chunk) }
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe systemRead(descriptor, $0) }
        guard count > 0 else { return false }
        bytes.withLock { bytes in bytes += chunk[..<min(count, limit - bytes.count)] }
        return true
    }
}

// A free function, where the C name is not hidden by our own.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}
