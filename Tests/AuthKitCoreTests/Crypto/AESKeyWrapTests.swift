import AuthKitCore
import Testing

@Suite struct AESKeyWrapTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let source: String
        let wrap: AESKeyWrap
        let key: [UInt8]
        let data: [UInt8]
        let wrapped: [UInt8]

        var testDescription: String { source }

        static func all() throws -> [Row] {
            let rows = try VectorFile.rows("aes-key-wrap").map { row in
                let bytes = { (name: String) in VectorFile.bytes(hex: try #require(row[name]?.string)) }
                let sizes: [Int: AESKeySize] = [16: .aes128, 24: .aes192, 32: .aes256]
                return Row(
                    source: try #require(row["source"]?.string),
                    wrap: AESKeyWrap(try #require(sizes[try bytes("key").count])),
                    key: try bytes("key"),
                    data: try bytes("data"),
                    wrapped: try bytes("wrapped")
                )
            }
            try #require(rows.count == 6)
            return rows
        }

        func refusal(_ wrapped: [UInt8], key: [UInt8]? = nil) -> CryptoError.Code? {
            do throws(CryptoError) {
                _ = try wrap.unwrap(wrapped, with: SecretBytes(copying: key ?? self.key))
                return nil
            } catch {
                return error.code
            }
        }
    }

    @Test(arguments: try Row.all())
    func `wrapping and unwrapping agree with the standard`(_ row: Row) throws {
        let key = SecretBytes(copying: row.key)
        #expect(try row.wrap.wrap(SecretBytes(copying: row.data), with: key) == row.wrapped)
        let isSame = try row.wrap.unwrap(row.wrapped, with: key).isEqual(to: SecretBytes(copying: row.data))
        #expect(isSame)
    }

    @Test(arguments: try Row.all())
    func `every flipped bit, another key or length is refused with one code`(_ row: Row) {
        for index in row.wrapped.indices {
            for bit in 0..<UInt8(8) {
                var changed = row.wrapped
                changed[index] ^= 1 << bit
                #expect(row.refusal(changed) == .authenticationFailed)
            }
        }
        var key = row.key
        key[0] ^= 1
        #expect(row.refusal(row.wrapped, key: key) == .authenticationFailed)
        #expect(row.refusal(row.wrapped, key: row.key + [0]) == .authenticationFailed)
        for count in [0, 8, 16, 23, row.wrapped.count - 8, row.wrapped.count - 1] {
            #expect(row.refusal(Array(row.wrapped.prefix(count))) == .authenticationFailed)
        }
        #expect(row.refusal(row.wrapped + [UInt8](repeating: 0, count: 8)) == .authenticationFailed)
    }

    @Test(arguments: [0, 8, 15, 17, 20])
    func `keys of other lengths are not wrapped`(_ count: Int) {
        let error = #expect(throws: CryptoError.self) {
            try AESKeyWrap(.aes128)
                .wrap(
                    SecretBytes(copying: [UInt8](repeating: 1, count: count)),
                    with: SecretBytes(copying: [UInt8](repeating: 2, count: 16))
                )
        }
        #expect(error?.code == .invalidInput)
    }
}
