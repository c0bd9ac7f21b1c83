/// The bytes of the Concise Binary Object Representation that records are made of (RFC 8949 §3).
enum CBOR {
    /// The upper three bits of an item's first byte.
    enum MajorType: UInt8 {
        case unsigned, negative, bytes, text, array, map, tag, simple
    }

    /// Begins an array without a count (§3.2.2).
    static let arrayStart: UInt8 = 0x9F
    /// Begins a map without a count.
    static let mapStart: UInt8 = 0xBF
    /// Ends both.
    static let end: UInt8 = 0xFF
    static let `false`: UInt8 = 0xF4
    static let `true`: UInt8 = 0xF5
}
