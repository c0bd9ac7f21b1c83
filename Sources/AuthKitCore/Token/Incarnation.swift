/// One life of a credential, from a sign-in (or sign-out) to the next: 16 random bytes.
///
/// Whatever was begun under another incarnation changes nothing: that is how sign-out wins over a refresh that hangs.
public struct Incarnation: Sendable, Hashable {
    /// The 16 bytes.
    public let bytes: [UInt8]

    /// What stands where none is known yet; never drawn, and never stored.
    static let unknown = Incarnation(unchecked: [UInt8](repeating: 0, count: 16))

    /// Draws a new one; throws when the system has no randomness to give.
    public static func draw() throws -> Incarnation {
        Incarnation(unchecked: try Random.bytes(16))
    }

    /// Takes stored bytes; nil unless they are 16.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    private init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }
}
