import Testing

@testable import AuthKitCore

/// The plaintexts of a record's parts, as `PlainCBOR`, which shares nothing with what writes and reads them, shows them.
@Suite struct RecordCodingTests {
    private static let payload = #"""
        {"format":1,"id":{"provider":"oidc","issuer":"https://i.example","client":"c","slot":"w\"\\ö\n"},"incarnation":"AQEBAQEBAQEBAQEBAQEBAQ","state":"needs_sign_in","account":{"issuer":"https://i.example","subject":"s-1","name":"Zoë"},"refresh":{"value":"r","type":"Bearer","expiry":{"never":true}},"id_token":{"value":"i","type":"Bearer","expiry":{"at":[9,0]},"scope":"openid email"},"access":[{"key":{"audience":"https://api","scope":"read","resources":["https://r","https://s"]},"token":{"value":"a","type":"DPoP","expiry":{"lifetime":[3599,999000000],"from":{"wall":[1800000000,0],"since_boot":[5,1],"boot":"b"},"at":[1800003600,0]}}}],"companions":{"a":{"value":"x","type":"Bearer","expiry":{}},"b":{"value":"y","type":"Bearer","expiry":{}}},"keys":{"dpop":"k"},"attributes":{"instance":"\u001f"},"scope":"openid","intents":[{"token":"AgICAgICAgICAgICAgICAg","sends":2,"at":[1800000000,0]}],"problem":{"code":"http_503","message":"Busy.","at":[1800000000,0]},"signed_in_at":[-2,-500000000],"renewed_at":{"wall":[1800000000,0],"since_boot":[5,1],"boot":"b"},"clock_offset":[0,-7]}
        """#
    private static let metadata = #"""
        {"format":1,"id":{"provider":"oidc","issuer":"https://i.example","client":"c","slot":"w\"\\ö\n"},"state":"needs_sign_in","account":{"issuer":"https://i.example","subject":"s-1","name":"Zoë"},"scope":"openid","problem":{"code":"http_503","message":"Busy.","at":[1800000000,0]},"open_intent":true,"signed_in_at":[-2,-500000000],"renewed_at":[1800000000,0],"clock_offset":[0,-7],"tokens":[{"kind":"access https://api","expiry":{"lifetime":[3599,999000000],"from":{"wall":[1800000000,0],"since_boot":[5,1],"boot":"b"},"at":[1800003600,0]}},{"kind":"refresh","expiry":{"never":true}},{"kind":"id","expiry":{"at":[9,0]}},{"kind":"a","expiry":{}},{"kind":"b","expiry":{}}]}
        """#
    private static let least = #"""
        {"format":1,"id":{"provider":"p","issuer":"i","client":"c","slot":"s"},"incarnation":"AQEBAQEBAQEBAQEBAQEBAQ","state":"signed_out","access":[],"companions":{},"keys":{},"attributes":{},"intents":[]}
        """#

    private let credential: StoredCredential

    init() throws {
        let id = CredentialID(provider: .oidc, issuer: "https://i.example", client: "c", slot: "w\"\\ö\n")
        let incarnation = try #require(Incarnation(bytes: [UInt8](repeating: 1, count: 16)))
        let now = Moment(
            wall: WallTime(seconds: 1_800_000_000),
            sinceBoot: .seconds(5) + .nanoseconds(1),
            boot: "b"
        )
        var credential = StoredCredential(id: id, incarnation: incarnation, state: .needsSignIn)
        credential.account = Account(issuer: "https://i.example", subject: "s-1", displayName: "Zoë")
        credential.refreshToken = HeldToken(Secret("r"), expiry: .never)
        credential.idToken = HeldToken(
            Secret("i"),
            expiry: .at(WallTime(seconds: 9)),
            scope: Scope("openid email")
        )
        let key = AccessTokenKey(
            audience: "https://api",
            scope: Scope("read"),
            resources: ["https://r", "https://s"]
        )
        credential.accessTokens[key] = HeldToken(
            Secret("a"),
            type: "DPoP",
            expiry: .after(.milliseconds(3_599_999), from: now).orEarlier(at: WallTime(seconds: 1_800_003_600))
        )
        credential.companions = ["b": HeldToken(Secret("y")), "a": HeldToken(Secret("x"))]
        credential.keys = ["dpop": Secret("k")]
        credential.attributes = ["instance": "\u{1f}"]
        credential.grantedScope = Scope("openid")
        let fingerprint = try #require(TokenFingerprint(bytes: [UInt8](repeating: 2, count: 16)))
        credential.intents[fingerprint] = Intent(sends: 2, at: now.wall)
        credential.problem = Problem(code: "http_503", message: "Busy.", at: now.wall)
        credential.signedInAt = WallTime(sinceEpoch: .milliseconds(-2500))
        credential.renewedAt = now
        credential.clockOffset = .nanoseconds(-7)
        self.credential = credential
    }

    private func parsed(_ text: String) throws -> StoredCredential {
        try StoredCredential(parsing: try PlainCBOR.bytes(of: text))
    }

    @Test func `a payload is written as format 1 has it, and read back`() throws {
        #expect(try PlainCBOR.text(of: credential.serialized()) == Self.payload)
        #expect(try parsed(Self.payload) == credential)
    }

    @Test func `metadata is written as format 1 has it, and read back`() throws {
        let summary = CredentialSummary(of: credential)
        #expect(try PlainCBOR.text(of: summary.serialized()) == Self.metadata)
        #expect(try CredentialSummary(parsing: try PlainCBOR.bytes(of: Self.metadata)) == summary)
    }

    @Test func `what holds nothing is written and read`() throws {
        let empty = try parsed(Self.least)
        #expect(empty.accessTokens.isEmpty && empty.intents.isEmpty && empty.account == nil)
        #expect(try PlainCBOR.text(of: empty.serialized()) == Self.least)
    }

    @Test func `the bytes are those that the standard gives`() {
        var writer = RecordWriter(room: 0)
        // RFC 8949, appendix A.
        for number in [
            0, 23, 24, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, -1, -24, -25, -256, .max, .min,
        ]
            as [Int64]
        {
            writer.integer(number)
        }
        writer.text("\u{fc}")
        writer.list { $0.object { $0.mark(.never) } }
        writer.member(.token, bytes: [1, 2])
        let expected =
            "00 17 1818 18ff 190100 19ffff 1a00010000 1affffffff 1b0000000100000000 20 37 3818 38ff 1b7fffffffffffffff "
            + "3b7fffffffffffffff 62c3bc 9fbf656e65766572f5ffff 65746f6b656e420102"
        #expect(Hexadecimal.encode(writer.bytes) == expected.filter { $0 != " " })
    }

    @Test func `order and members of later versions change nothing`() throws {
        let value = try JSONValue(parsing: Array(Self.payload.utf8))
        var members = try #require(value.object).members.reversed() + []
        let later: JSONValue = ["x": [1, [true, "]}", ["y": .null, "z": -7, "f": 0.5]]]]
        members.insert(JSONObject.Member(name: "later", value: later), at: 3)
        members.append(JSONObject.Member(name: "a name that is longer than any of ours", value: true))
        let bytes = PlainCBOR.bytes(of: .object(JSONObject(distinct: members)))
        #expect(try StoredCredential(parsing: bytes) == credential)
    }

    @Test func `what is passed over may be anything but strings without a length`() throws {
        // Counted arrays and maps, a tag, floating-point numbers, simple values, nested up to the limit.
        let odd: [[UInt8]] = [
            [0x82, 0x01, 0x02], [0xA1, 0x61, 0x61, 0x80], [0xC1, 0x1A, 0, 1, 0, 0], [0xF9, 0, 0], [0xFA, 0, 0, 0, 0],
            [0xFB, 0, 0, 0, 0, 0, 0, 0, 0], [0xF6], [0xF8, 0xFF], [0x98, 24] + [UInt8](repeating: 0, count: 24),
            [UInt8](repeating: 0x81, count: 30) + [0],
        ]
        for item in odd {
            let bytes: [UInt8] = [CBOR.mapStart, 0x61, 0x78] + item + credential.serialized().dropFirst()
            #expect(try StoredCredential(parsing: bytes) == credential, "\(item)")
        }
        let refused: [[UInt8]] = [
            [UInt8](repeating: 0x81, count: 40) + [0], [0x9B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0xBB, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x5B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x5F, 0x41, 0x00, 0xFF], [0x7F, 0x61, 0x61, 0xFF], [0x1C], [0x1F], [0x18, 23], [0x19, 0, 255],
            [0x1A, 0, 0, 255, 255], [0x1B, 0, 0, 0, 0, 255, 255, 255, 255],
            [0x82, 0x01], [0x7A, 0, 1, 0, 0],
        ]
        for item in refused {
            let bytes: [UInt8] = [CBOR.mapStart, 0x61, 0x78] + item + credential.serialized().dropFirst()
            #expect(throws: RecordCoding.Unreadable.self, "\(item)") { try StoredCredential(parsing: bytes) }
        }
    }

    @Test(
        arguments: [
            (#""format":1"#, #""format":2"#), (#""format":1,"#, ""), (#""state":"needs_sign_in","#, ""),
            (#""state":"needs_sign_in""#, #""state":"else""#), (#""slot""#, #""place""#),
            (#""sends":2"#, #""sends":"2""#), (#""sends":2"#, #""sends":2.5"#), (#""sends":2"#, #""sends":null"#),
            (#"[9,0]"#, #"[9]"#), (#"[9,0]"#, #"[9,0,0]"#), (#"[9,0]"#, #"9"#), (#""value":"r""#, #""value":7"#),
            (#""never":true"#, #""never":1"#), (#""keys":{"#, #""keys":["#),
            (#""subject":"s-1","#, ""), (#""incarnation":"AQ"#, #""incarnation":"AQEBAQ"#),
            (#""account":{"#, #""account":null,"else":{"#), (#""from":{"#, #""since":{"#), (#""clock"#, #""clo"#),
        ]
    )
    func `what is not of the format is not read`(_ part: String, _ other: String) throws {
        var changed = Self.payload.replacing(part, with: other)
        #expect(changed != Self.payload)
        if other.hasSuffix("[") {
            changed = changed.replacing(#""k"}"#, with: #""k"]"#).replacing(#""dpop":"#, with: "")
        }
        if part == #""clock"# {
            // A member of another name is one of a later version.
            #expect(try parsed(changed).clockOffset == nil)
        } else {
            #expect(throws: RecordCoding.Unreadable.self) { try parsed(changed) }
        }
    }

    @Test func `a name that comes twice is not read`() throws {
        let bytes = credential.serialized()
        let again = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x64] + Array("dpop".utf8)) })
        var changed = bytes
        changed.insert(contentsOf: bytes[again..<(again + 7)], at: again)
        #expect(throws: RecordCoding.Unreadable.self) { try StoredCredential(parsing: changed) }
        changed = bytes
        changed.insert(contentsOf: PlainCBOR.bytes(of: JSONValue.string("format")) + [1], at: 1)
        #expect(throws: RecordCoding.Unreadable.self) { try StoredCredential(parsing: changed) }
    }

    @Test func `a text that is not UTF-8 is not read`() throws {
        let bytes = credential.serialized()
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: "Busy.".utf8) })
        for wrong: [UInt8] in [[0xFF], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0x80]] {
            var changed = bytes
            changed.replaceSubrange(start..<(start + wrong.count), with: wrong)
            #expect(throws: RecordCoding.Unreadable.self) { try StoredCredential(parsing: changed) }
        }
    }

    @Test func `each name is found by its bytes, and no other is`() {
        for name in RecordName.allCases {
            let text = name.text
            #expect(RecordNames.all.find(text.utf8Span.span) == name)
            for other in [
                text + "x", text + "\0", String(text.dropLast()), text.uppercased(),
                text + String(repeating: "y", count: 16),
            ] {
                let found = RecordNames.all.find(other.utf8Span.span)
                #expect(found == RecordName.allCases.first { $0.text == other })
            }
        }
        #expect(Set(RecordName.allCases.map(\.text)).count == RecordName.allCases.count)
        #expect(RecordName.allCases.count <= 64)
    }

    @Test func `a payload that is cut anywhere is not read`() {
        let bytes = credential.serialized()
        for count in bytes.indices {
            #expect(throws: RecordCoding.Unreadable.self) { try StoredCredential(parsing: Array(bytes[..<count])) }
        }
        #expect(throws: RecordCoding.Unreadable.self) { try StoredCredential(parsing: bytes + [0]) }
    }

    @Test(arguments: ["\"", "\\", "\u{1f}", "ö", "\u{1F600}", "\u{7f}"])
    func `a character that is special is kept wherever in a text it is`(_ special: String) throws {
        for before in 0..<20 {
            for after in [0, 1, 7, 8, 20] {
                let text = String(repeating: "a", count: before) + special + String(repeating: "b", count: after)
                var credential = credential
                credential.attributes = [text: text]
                #expect(try StoredCredential(parsing: credential.serialized()) == credential)
            }
        }
    }
}
