/// Points of the curves of EdDSA as public keys have them (RFC 8032 §5.1.2, §5.2.2).
enum EdwardsPoint {
    /// The two y coordinates, in little-endian order, of the points of order 8 on edwards25519.
    private static let orderEight: [[UInt8]] = [
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
            0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ],
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
            0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ],
    ]

    /// Whether an encoding is canonical and not that of a point of small order; true for other kinds of key.
    ///
    /// Under a key of small order anybody can make valid signatures. Its order is told by y alone, so that either sign
    /// of x is refused, the one that RFC 8032 does not allow for x = 0 with it.
    static func isUsable(_ encoding: [UInt8], _ kind: KeyKind) -> Bool {
        guard kind == .ed25519 || kind == .ed448, let last = encoding.last else { return true }
        let prime = prime(kind)
        let y = encoding.dropLast() + [last & 0x7F]
        // RFC 8032 §5.1.3 and §5.2.3 step 1: y is below the prime.
        guard y.count == prime.count, y.reversed().lexicographicallyPrecedes(prime.reversed()) else { return false }
        let one = [1] + [UInt8](repeating: 0, count: prime.count - 1)
        let zero = [UInt8](repeating: 0, count: prime.count)
        let minusOne = [prime[0] - 1] + prime.dropFirst()
        return !([zero, one, minusOne] + (kind == .ed25519 ? orderEight : [])).contains(Array(y))
    }

    /// 2^255 - 19 and 2^448 - 2^224 - 1, in little-endian order and at the length of a key.
    private static func prime(_ kind: KeyKind) -> [UInt8] {
        if kind == .ed25519 { return [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F] }
        return [UInt8](repeating: 0xFF, count: 28) + [0xFE] + [UInt8](repeating: 0xFF, count: 27) + [0]
    }
}
