import AuthKitCore
import Testing

@Suite struct JSONDecodingTests {
    struct Address: Decodable, Equatable {
        let street: String
        let number: Int?
    }

    struct Claims: Decodable, Equatable {
        let sub: String
        let email: String?
        let verified: Bool
        let score: Double
        let roles: [String]
        let addresses: [Address]
        let limits: [String: UInt8]

        enum CodingKeys: String, CodingKey {
            case sub, email, score, roles, addresses, limits
            case verified = "email_verified"
        }
    }

    private let whole: JSONValue = [
        "sub": "alice", "email": .null, "email_verified": true, "score": 0.5, "roles": ["a", "b"],
        "addresses": [["street": "Main", "number": 1], ["street": "Side"]], "limits": ["x": 255], "more": [1, [2]],
    ]

    @Test func `a type is read with everything in it`() throws {
        let expected = Claims(
            sub: "alice",
            email: nil,
            verified: true,
            score: 0.5,
            roles: ["a", "b"],
            addresses: [Address(street: "Main", number: 1), Address(street: "Side", number: nil)],
            limits: ["x": 255]
        )
        #expect(try whole.decode(Claims.self) == expected)
    }

    @Test func `verified claims are read into a type`() throws {
        struct Person: Decodable {
            let sub: String
            let exp: Int64
        }
        let token = try TestKeys.token()
        let keys = try TestKeys.set([("one", TestKeys.es256)])
        let verified = try JWTVerifier(policy: TestKeys.policy()).verify(token, with: keys, at: TestKeys.now)
        let person = try verified.decode(Person.self)
        #expect(person.sub == "alice")
        #expect(person.exp == 1_800_000_300)
        #expect(Refusal { try verified.decode([Int].self) } == .typeMismatch(""))
    }

    @Test func `what is missing, null or of another type is told with its path`() throws {
        func refusal(_ change: (inout JSONObject) -> Void) -> Refusal? {
            var object = whole.object ?? JSONObject()
            change(&object)
            return Refusal { try JSONValue.object(object).decode(Claims.self) }
        }
        #expect(refusal { _ in } == nil)
        #expect(refusal { $0["sub"] = nil } == .keyNotFound("sub", ""))
        #expect(refusal { $0["sub"] = .null } == .valueNotFound("sub"))
        #expect(refusal { $0["sub"] = 1 } == .typeMismatch("sub"))
        #expect(refusal { $0["email"] = 1 } == .typeMismatch("email"))
        #expect(refusal { $0["email_verified"] = "true" } == .typeMismatch("email_verified"))
        #expect(refusal { $0["email_verified"] = 1 } == .typeMismatch("email_verified"))
        #expect(refusal { $0["score"] = "0.5" } == .typeMismatch("score"))
        #expect(refusal { $0["roles"] = ["a", 2] } == .typeMismatch("roles.#1"))
        #expect(refusal { $0["roles"] = ["a": "b"] } == .typeMismatch("roles"))
        #expect(refusal { $0["roles"] = .null } == .valueNotFound("roles"))
        #expect(refusal { $0["addresses"] = [[:]] } == .keyNotFound("street", "addresses.#0"))
        #expect(refusal { $0["limits"] = ["x": 256] } == .dataCorrupted("limits.x"))
        #expect(refusal { $0["limits"] = [1] } == .typeMismatch("limits"))
    }

    @Test func `errors have no values in their texts`() {
        enum Colour: String, Decodable { case red }
        struct Hidden: Decodable {
            init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: text, underlyingError: Leak(text: text))
                )
            }
        }
        for read in [
            { try JSONValue.string("hidden-value").decode(Int.self) },
            { try JSONValue.string("hidden-value").decode(Colour.self) },
            { try JSONValue.string("hidden-value").decode(Hidden.self) },
            { try (["a": "hidden-value"] as JSONValue).decode([String: Bool].self) },
        ] as [() throws -> Any] {
            let error = #expect(throws: DecodingError.self) { _ = try read() }
            var text = ""
            dump(error, to: &text)
            #expect(!"\(String(describing: error))\(text)".contains("hidden-value"))
        }
    }

    @Test func `an error of the type's own passes`() {
        struct Own: Decodable {
            init(from decoder: any Decoder) throws { throw Leak(text: "own") }
        }
        #expect(throws: Leak.self) { try JSONValue.null.decode(Own.self) }
    }

    @Test func `large objects are read by name, byte for byte`() throws {
        struct Two: Decodable {
            let first: Int
            let last: Int?
            let composed: Int
            enum CodingKeys: String, CodingKey {
                case first, last
                case composed = "\u{E9}"
            }
        }
        var object: JSONObject = ["first": 1, "e\u{301}": 7, "\u{E9}": 2]
        for number in 0..<200 { object["member\(number)"] = .integer(number) }
        let two = try JSONValue.object(object).decode(Two.self)
        #expect(two.first == 1)
        #expect(two.composed == 2)
        #expect(two.last == nil)
        let all = try JSONValue.object(object).decode([String: Int].self)
        #expect(all["member199"] == 199)
    }

    private struct Leak: Error {
        let text: String
    }
}
