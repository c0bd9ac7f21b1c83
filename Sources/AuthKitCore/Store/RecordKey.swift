/// Where a record lies in a store: a 32-byte keyed hash of a credential's name, or the reserved key of the vault's header.
public struct RecordKey: Sendable, Hashable {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// Takes 32 bytes; nil for any other number.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    private init(reserved: UInt8) {
        bytes = [UInt8](repeating: reserved, count: 32)
    }

    /// The key of the vault's own record: store id, wrapped data keys, key source.
    public static let header = RecordKey(reserved: 0)
}

extension RecordKey: CustomStringConvertible {
    /// The first eight bytes in hexadecimal: enough to tell records apart in a message.
    public var description: String { Hexadecimal.encode(Array(bytes.prefix(8))) }
}

extension RecordKey: Comparable {
    /// Orders keys by their bytes.
    public static func < (left: RecordKey, right: RecordKey) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
