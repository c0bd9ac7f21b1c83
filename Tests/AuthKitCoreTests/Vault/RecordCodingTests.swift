import Testing

@testable import AuthKitCore

/// The plaintexts of a record's parts, byte for byte.
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
        try StoredCredential(parsing: Array(text.utf8))
    }

    @Test func `a payload is written as format 1 has it, and read back`() throws {
        #expect(String(decoding: credential.serialized(), as: UTF8.self) == Self.payload)
        #expect(try parsed(Self.payload) == credential)
    }

    @Test func `metadata is written as format 1 has it, and read back`() throws {
        let summary = CredentialSummary(of: credential)
        #expect(String(decoding: summary.serialized(), as: UTF8.self) == Self.metadata)
        #expect(try CredentialSummary(parsing: Array(Self.metadata.utf8)) == summary)
    }

    @Test func `what holds nothing is written and read`() throws {
        let empty = try parsed(Self.least)
        #expect(empty.accessTokens.isEmpty && empty.intents.isEmpty && empty.account == nil)
        #expect(String(decoding: empty.serialized(), as: UTF8.self) == Self.least)
    }

    @Test func `order, spaces, escapes and members of later versions change nothing`() throws {
        let value = try JSONValue(parsing: Array(Self.payload.utf8))
        var members = try #require(value.object).members.reversed() + []
        let later: JSONValue = ["x": [1, [true, "]\"}", ["y": .null]]]]
        members.insert(JSONObject.Member(name: "later", value: later), at: 3)
        let pretty = JSONValue.object(JSONObject(distinct: members)).serialized(pretty: true)
        #expect(try StoredCredential(parsing: pretty) == credential)
        let escaped = Self.payload.replacing(#""state""#, with: #""\u0073tate""#)
        #expect(try parsed(escaped) == credential)
        #expect(try parsed(Self.payload.replacing("[9,0]", with: "[9.0, 0e0]")) == credential)
    }

    @Test(
        arguments: [
            (#""format":1"#, #""format":2"#), (#""format":1,"#, ""), (#""state":"needs_sign_in","#, ""),
            (#""state":"needs_sign_in""#, #""state":"else""#), (#""slot""#, #""place""#),
            (#""sends":2"#, #""sends":"2""#), (#""sends":2"#, #""sends":2.5"#), (#""sends":2"#, #""sends":1e30"#),
            (#"[9,0]"#, #"[9]"#), (#"[9,0]"#, #"[9,0,0]"#), (#"[9,0]"#, #"9"#), (#""value":"r""#, #""value":7"#),
            (#""never":true"#, #""never":1"#), (#""keys":{"#, #""keys":["#), (#""keys":{"#, #""keys":{},"keys":{"#),
            (#""subject":"s-1","#, ""), (#""incarnation":"AQ"#, #""incarnation":"A"#), ("Busy.", "Busy.\\ud800"),
            (#""account":{"#, #""account":null,"else":{"#), (#""from":{"#, #""since":{"#), (#""clock"#, #""clo"#),
        ]
    )
    func `what is not of the format is not read`(_ part: String, _ other: String) throws {
        let changed = Self.payload.replacing(part, with: other)
        #expect(changed != Self.payload)
        if part == #""clock"# {
            // A member of another name is one of a later version.
            #expect(try parsed(changed).clockOffset == nil)
        } else {
            #expect(throws: RecordCoding.Unreadable.self) { try parsed(changed) }
        }
    }

    @Test(arguments: [payload, metadata])
    func `the names of an object are told apart without a second look`(_ text: String) throws {
        var objects = [try #require(try JSONValue(parsing: Array(text.utf8)).object)]
        while let object = objects.popLast() {
            let bits = object.names.map { name in
                let bytes = Array(name.utf8)
                return RecordName(bytes.span).bit
            }
            #expect(Set(bits).count == bits.count, "\(object.names)")
            let values = object.members.flatMap { $0.value.array ?? [$0.value] }
            objects += values.compactMap(\.object)
        }
    }

    @Test func `a payload that is cut anywhere is not read`() {
        let bytes = Array(Self.payload.utf8)
        for count in bytes.indices {
            #expect(throws: RecordCoding.Unreadable.self) { try StoredCredential(parsing: Array(bytes[..<count])) }
        }
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
