import AuthKitCore
import Testing

@Suite struct KeyDerivationTests {
    @Test func `HKDF agrees with RFC 5869`() throws {
        let rows = try VectorFile.rows("hkdf")
        #expect(rows.count == 3)
        for row in rows {
            let key = SecretBytes(copying: VectorFile.bytes(hex: row["key"]?.string ?? ""))
            let derived = try HKDF.derive(
                from: key,
                salt: VectorFile.bytes(hex: row["salt"]?.string ?? ""),
                info: VectorFile.bytes(hex: row["info"]?.string ?? ""),
                count: Int(row["count"]?.int64 ?? 0)
            )
            let text = unsafe derived.withUnsafeBytes { unsafe Hexadecimal.encode(Array($0)) }
            #expect(text == row["output"]?.string, "\(row["source"]?.string ?? "")")
        }
    }

    @Test(arguments: [0, -1, 255 * 32 + 1])
    func `HKDF refuses a count that the standard does not allow`(_ count: Int) {
        let error = #expect(throws: CryptoError.self) {
            _ = try HKDF.derive(from: SecretBytes(copying: [1]), salt: [], info: [], count: count)
        }
        #expect(error?.code == .invalidInput)
    }

    @Test func `scrypt agrees with RFC 7914`() throws {
        let rows = try VectorFile.rows("scrypt")
        #expect(rows.count == 3)
        for row in rows {
            let derived = try Scrypt.derive(
                password: SecretBytes(copying: Array((row["password"]?.string ?? "").utf8)),
                salt: Array((row["salt"]?.string ?? "").utf8),
                n: UInt64(row["n"]?.int64 ?? 0),
                r: UInt32(row["r"]?.int64 ?? 0),
                p: UInt32(row["p"]?.int64 ?? 0),
                memoryLimit: 32 << 20,
                count: 64
            )
            let text = unsafe derived.withUnsafeBytes { unsafe Hexadecimal.encode(Array($0)) }
            #expect(text == row["output"]?.string, "\(row["source"]?.string ?? "")")
        }
    }

    struct Excess: Sendable {
        let n: UInt64
        let r: UInt32
        let p: UInt32
        let limit: Int
        let code: CryptoError.Code

        static let all: [Excess] = [
            Excess(n: 1_048_576, r: 8, p: 1, limit: 268_435_456, code: .limitExceeded),
            Excess(n: 1 << 62, r: 1_048_576, p: 1, limit: .max, code: .limitExceeded),
            Excess(n: 1000, r: 8, p: 1, limit: .max, code: .invalidInput),
            Excess(n: 1, r: 8, p: 1, limit: .max, code: .invalidInput),
            Excess(n: 16, r: 0, p: 1, limit: .max, code: .invalidInput),
            Excess(n: 16, r: 65_536, p: 65_536, limit: .max, code: .invalidInput),
        ]
    }

    @Test(arguments: Excess.all)
    func `scrypt refuses parameters beyond its bounds before it works`(_ excess: Excess) {
        let error = #expect(throws: CryptoError.self) {
            _ = try Scrypt.derive(
                password: SecretBytes(copying: [1]),
                salt: [],
                n: excess.n,
                r: excess.r,
                p: excess.p,
                memoryLimit: excess.limit,
                count: 32
            )
        }
        #expect(error?.code == excess.code)
    }
}
