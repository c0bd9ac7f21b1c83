import AuthKitCore
import Testing

@Suite struct KeyVectorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let source: String
        let key: JSONObject
        /// The names of the algorithms whose signatures the key may check.
        let fits: [String]
        let thumbprint: String?
        let isRefused: Bool

        var testDescription: String { source }

        static func all() throws -> [Row] {
            let rows = try VectorFile.rows("keys").map { row in
                Row(
                    source: try #require(row["source"]?.string),
                    key: try #require(row["key"]?.object),
                    fits: try #require(row["fits"]?.array).compactMap(\.string),
                    thumbprint: row["thumbprint"]?.string,
                    isRefused: row["refused"]?.bool == true
                )
            }
            try #require(rows.count >= 19)
            return rows
        }
    }

    /// RFC 7518 §6.2.2, §6.3.2, §6.4.1: the members that nobody else may see.
    private static let secretNames: Set<String> = ["d", "p", "q", "dp", "dq", "qi", "k"]

    @Test(arguments: try Row.all().filter { !$0.isRefused })
    func `a key of a standard is for the algorithms that it names`(_ row: Row) throws {
        let key = try JWK(row.key)
        #expect(JWSAlgorithm.all.filter(key.fits).map(\.name).sorted() == row.fits.sorted())
        #expect(key.keyID.map(JSONValue.string) == row.key["kid"])
        #expect(key.use.map(JSONValue.string) == row.key["use"])
        #expect(key.algorithmName.map(JSONValue.string) == row.key["alg"])
        #expect(!key.isWeak || row.fits.isEmpty)
    }

    @Test(arguments: try Row.all().filter { !$0.isRefused })
    func `what others may see of a key has every public member and no secret one`(_ row: Row) throws {
        let members = try JWK(row.key).members
        #expect(Self.secretNames.isDisjoint(with: members.names))
        for name in ["kty", "crv", "x", "y", "n", "e", "kid", "use", "alg"] {
            #expect(members[name] == row.key[name])
        }
    }

    @Test(arguments: try Row.all().filter { !$0.isRefused })
    func `a key is private where the standard gives its secret members, and only there`(_ row: Row) throws {
        guard row.key["d"] != nil || row.key["k"] != nil else {
            #expect(throws: JWTError.self) { try PrivateJWK(row.key) }
            return
        }
        let key = try PrivateJWK(row.key)
        #expect(key.publicKey.thumbprint == (try JWK(row.key).thumbprint))
        let members = try key.privateMembers()
        for name in Self.secretNames { #expect(members[name] == row.key[name]) }
    }

    @Test(arguments: try Row.all().filter { $0.thumbprint != nil })
    func `the thumbprint is that of the standard`(_ row: Row) throws {
        #expect(try JWK(row.key).thumbprint == row.thumbprint)
    }

    @Test(arguments: try Row.all().filter(\.isRefused))
    func `a key on a curve that we do not have is refused`(_ row: Row) {
        let error = #expect(throws: JWTError.self) { try JWK(row.key) }
        #expect(error?.code == .malformed)
    }

    @Test func `a set of all keys skips those that cannot be used and counts them`() throws {
        let rows = try Row.all()
        let set = try JWKSet(["keys": .array(rows.map { .object($0.key) })])
        #expect(set.keys.count == rows.filter { !$0.isRefused }.count)
        #expect(set.skippedCount == rows.filter(\.isRefused).count)
    }

    @Test(arguments: try Row.all().filter { $0.key["x"] != nil && $0.key["y"] != nil })
    func `a coordinate with a flipped bit is no point of the curve`(_ row: Row) throws {
        for name in ["x", "y"] {
            let coordinate = try Base64URL.decode(try #require(row.key[name]?.string))
            for bit in 0..<coordinate.count * 8 {
                var (changed, key) = (coordinate, row.key)
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                key[name] = .string(Base64URL.encode(changed))
                // A changed x lies on the curve half of the time, with another y; never with this one.
                let error = #expect(throws: JWTError.self) { try JWK(key) }
                #expect(error?.code == .malformed)
            }
        }
    }

    @Test(arguments: try Row.all().filter { !$0.isRefused && $0.key["y"] != nil })
    func `each coordinate has its own length, whatever both have together`(_ row: Row) throws {
        let x = try Base64URL.decode(try #require(row.key["x"]?.string))
        let y = try Base64URL.decode(try #require(row.key["y"]?.string))
        let whole = x + y
        for count in [x.count - 1, x.count + 1, 0, whole.count] {
            var key = row.key
            key["x"] = .string(Base64URL.encode(Array(whole[..<count])))
            key["y"] = .string(Base64URL.encode(Array(whole[count...])))
            let error = #expect(throws: JWTError.self) { try JWK(key) }
            #expect(error?.code == .malformed)
        }
    }

    @Test(arguments: try Row.all().filter { !$0.isRefused })
    func `a key with a flipped bit is refused, or another key`(_ row: Row) throws {
        let original = try JWK(row.key).thumbprint
        for name in ["n", "e", "x", "y", "k"] {
            guard let text = row.key[name]?.string else { continue }
            let bytes = try Base64URL.decode(text)
            for bit in 0..<bytes.count * 8 {
                var (changed, key) = (bytes, row.key)
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                key[name] = .string(Base64URL.encode(changed))
                #expect((try? JWK(key))?.thumbprint != original)
            }
        }
    }
}
