/// SipHash-2-4 of 128 bits (Aumasson and Bernstein, 2012): tells texts apart even where others choose them.
///
/// Written out here, since libcrypto's costs as much again for a context that is taken from a pool and set up each time.
package struct KeyedHash: Sendable {
    /// The hash of a text.
    package struct Value: Sendable, Hashable {
        /// The first eight bytes, the first one lowest.
        package let low: UInt64
        /// The last eight bytes, the first one lowest.
        package let high: UInt64
    }

    private let first: UInt64
    private let second: UInt64

    /// Draws a key.
    package init() throws(CryptoError) {
        let key = try Random.bytes(16)
        self.init(key: key.span)
    }

    /// Takes a key of 16 bytes; shorter ones are a programmer's mistake.
    package init(key: Span<UInt8>) {
        first = key.word(at: 0)
        second = key.word(at: 8)
    }

    /// Hashes bytes.
    package func hash(_ bytes: Span<UInt8>) -> Value {
        var state = State(first, second)
        var index = 0
        while index &+ 8 <= bytes.count {
            state.absorb(bytes.word(at: index))
            index &+= 8
        }
        // The last word has the bytes that are left, and the length in its highest byte.
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        for position in index..<bytes.count { last |= UInt64(bytes[position]) << UInt64(8 * (position - index)) }
        state.absorb(last)
        return state.finish()
    }

    private struct State {
        private var a: UInt64
        private var b: UInt64
        private var c: UInt64
        private var d: UInt64

        init(_ first: UInt64, _ second: UInt64) {
            a = first ^ 0x736F_6D65_7073_6575
            b = second ^ 0x646F_7261_6E64_6F6D ^ 0xEE  // the long form
            c = first ^ 0x6C79_6765_6E65_7261
            d = second ^ 0x7465_6462_7974_6573
        }

        @inline(__always)
        mutating func absorb(_ word: UInt64) {
            d ^= word
            round()
            round()
            a ^= word
        }

        mutating func finish() -> Value {
            c ^= 0xEE
            for _ in 0..<4 { round() }
            let low = a ^ b ^ c ^ d
            b ^= 0xDD
            for _ in 0..<4 { round() }
            return Value(low: low, high: a ^ b ^ c ^ d)
        }

        @inline(__always)
        private mutating func round() {
            a &+= b
            b = Self.rotated(b, 13) ^ a
            a = Self.rotated(a, 32)
            c &+= d
            d = Self.rotated(d, 16) ^ c
            a &+= d
            d = Self.rotated(d, 21) ^ a
            c &+= b
            b = Self.rotated(b, 17) ^ c
            c = Self.rotated(c, 32)
        }

        @inline(__always)
        private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
            word &<< count | word &>> (64 &- count)
        }
    }
}
