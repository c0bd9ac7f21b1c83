/// Turns ECDSA signatures between JOSE's form (r and s at full length) and libcrypto's (DER).
enum ECDSASignature {
    /// The DER form; nil unless there are exactly two numbers of the curve's size (RFC 7518 §3.4).
    static func der(fromRaw raw: [UInt8], on curve: EllipticCurve) -> [UInt8]? {
        guard raw.count == 2 * curve.coordinateCount else { return nil }
        let body = integer(raw.prefix(curve.coordinateCount)) + integer(raw.suffix(curve.coordinateCount))
        return [0x30] + (body.count < 128 ? [UInt8(body.count)] : [0x81, UInt8(body.count)]) + body
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

    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let significant = bytes.drop { $0 == 0 }
        let padding: [UInt8] = (significant.first ?? 0x80) >= 0x80 ? [0] : []
        return [0x02, UInt8(padding.count + significant.count)] + padding + significant
    }

    private static func takeInteger(_ rest: inout ArraySlice<UInt8>, _ curve: EllipticCurve) -> [UInt8]? {
        guard rest.popFirst() == 0x02, let count = rest.popFirst(), rest.count >= Int(count) else { return nil }
        let significant = rest.prefix(Int(count)).drop { $0 == 0 }
        rest = rest.dropFirst(Int(count))
        guard significant.count <= curve.coordinateCount else { return nil }
        return [UInt8](repeating: 0, count: curve.coordinateCount - significant.count) + significant
    }
}
