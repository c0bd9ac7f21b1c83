/// Turns ECDSA signatures between JOSE's form (r and s at full length) and libcrypto's (DER).
enum ECDSASignature {
    /// A signature in DER, on the stack: two numbers of at most 67 bytes with their heads.
    struct DER {
        var bytes: InlineArray<144, UInt8> = .init(repeating: 0)
        var count = 0

        mutating func append(_ byte: UInt8) {
            bytes[count] = byte
            count += 1
        }
    }

    /// The DER form; nil unless there are exactly two numbers of the curve's size (RFC 7518 §3.4).
    static func der(fromRaw raw: Span<UInt8>, on curve: EllipticCurve) -> DER? {
        let size = curve.coordinateCount
        guard raw.count == 2 * size else { return nil }
        let (r, s) = (integerStart(raw, 0, size), integerStart(raw, size, 2 * size))
        let body = integerCount(raw, r, size) + integerCount(raw, s, 2 * size)
        var der = DER()
        der.append(0x30)
        if body >= 128 { der.append(0x81) }
        der.append(UInt8(body))
        append(raw, r, size, to: &der)
        append(raw, s, 2 * size, to: &der)
        return der
    }

    /// Where the significant bytes of a number begin; the last byte stays even when it is zero.
    private static func integerStart(_ raw: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
        var position = start
        while position < end - 1, raw[position] == 0 { position += 1 }
        return position
    }

    /// How many bytes an INTEGER takes with its head; a set top bit needs a zero before it.
    private static func integerCount(_ raw: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
        2 + (raw[start] >= 0x80 ? 1 : 0) + end - start
    }

    private static func append(_ raw: Span<UInt8>, _ start: Int, _ end: Int, to der: inout DER) {
        der.append(0x02)
        der.append(UInt8(integerCount(raw, start, end) - 2))
        if raw[start] >= 0x80 { der.append(0) }
        for position in start..<end { der.append(raw[position]) }
    }

    /// JOSE's form of a DER signature that libcrypto made; nil when it is none.
    static func raw(fromDER der: [UInt8], on curve: EllipticCurve) -> [UInt8]? {
        var rest = der[...]
        guard rest.popFirst() == 0x30, var count = rest.popFirst() else { return nil }
        if count == 0x81 {
            guard let long = rest.popFirst() else { return nil }
            count = long
        }
        guard rest.count == Int(count), let r = takeInteger(&rest, curve), let s = takeInteger(&rest, curve),
            rest.isEmpty
        else { return nil }
        return r + s
    }

    private static func takeInteger(_ rest: inout ArraySlice<UInt8>, _ curve: EllipticCurve) -> [UInt8]? {
        guard rest.popFirst() == 0x02, let count = rest.popFirst(), rest.count >= Int(count) else { return nil }
        let significant = rest.prefix(Int(count)).drop { $0 == 0 }
        rest = rest.dropFirst(Int(count))
        guard significant.count <= curve.coordinateCount else { return nil }
        return [UInt8](repeating: 0, count: curve.coordinateCount - significant.count) + significant
    }
}
