import AuthKitCore
import ProviderOIDC
import Testing

/// The rules of OpenID Connect Core §3.1.3.7 beyond the certification modules.
@Suite struct IDTokenTests {
    private func refused(
        _ configure: (inout OIDCConfiguration) -> Void = { _ in },
        _ change: @escaping @Sendable (inout JSONObject) -> Void
    ) async throws -> Bool {
        let party = try RelyingParty(change: configure)
        party.issuer.script { $0.claims = change }
        let reason = await code { try await party.signInAndReadUserInfo() }
        #expect(reason == nil || reason == .invalidIDToken)
        #expect(party.issuer.count("/tenant/userinfo") == (reason == nil ? 1 : 0))
        return reason == .invalidIDToken
    }

    @Test func `an audience list of one is accepted`() async throws {
        #expect(try await !refused { $0["aud"] = ["client-1"] })
    }

    @Test func `a further audience is refused unless trusted, whatever azp says`() async throws {
        #expect(try await refused { $0["aud"] = ["client-1", "client-2"] })
        #expect(try await !refused({ $0.trustedAudiences = ["client-2"] }) { $0["aud"] = ["client-1", "client-2"] })
        let withParty: @Sendable (inout JSONObject) -> Void = { claims in
            claims["aud"] = ["client-1", "client-2"]
            claims["azp"] = "client-1"
        }
        #expect(try await refused { withParty(&$0) })
        #expect(try await !refused({ $0.trustedAudiences = ["client-2"] }) { withParty(&$0) })
    }

    @Test func `azp must be this client, and does not stand for aud`() async throws {
        #expect(try await refused { $0["azp"] = "client-2" })
        #expect(try await refused { $0["azp"] = 7 })
        let onlyParty: @Sendable (inout JSONObject) -> Void = { claims in
            claims["aud"] = "client-2"
            claims["azp"] = "client-1"
        }
        #expect(try await refused { onlyParty(&$0) })
    }

    @Test(arguments: ["iss", "aud", "exp", "iat", "sub"])
    func `a required claim must be there`(_ name: String) async throws {
        #expect(try await refused { $0[name] = nil })
    }

    @Test func `a subject is 1 to 255 characters`() async throws {
        #expect(try await refused { $0["sub"] = "" })
        #expect(try await refused { $0["sub"] = .string(String(repeating: "s", count: 256)) })
        let party = try RelyingParty()
        let longest = String(repeating: "s", count: 255)
        party.issuer.script { $0.claims = { $0["sub"] = .string(longest) } }
        #expect(try await party.signIn().account?.subject == longest)
    }

    @Test func `an expired token is refused, within the clock skew it is not`() async throws {
        #expect(try await refused { $0["exp"] = 1_799_999_640 })
        #expect(try await !refused { $0["exp"] = 1_799_999_960 })
        #expect(try await refused({ $0.clockSkew = .seconds(10) }) { $0["exp"] = 1_799_999_960 })
        #expect(try await refused { $0["iat"] = 1_800_000_400 })
    }

    @Test func `a wrong clock is named with its offset`() async throws {
        let party = try RelyingParty()
        party.issuer.script { script in
            script.claims = { $0["exp"] = 1_799_999_000 }
            script.replace = { _, response in
                var response = response
                response.fields.append(HTTPField("Date", "Fri, 15 Jan 2027 07:40:00 GMT"))
                return response
            }
        }
        let error = try await failure { try await party.signIn() }
        #expect(error.detail.contains("1200 s ahead"))
    }

    @Test func `a wrong at_hash is refused, none is not`() async throws {
        #expect(try await refused { $0["at_hash"] = $0["at_hash"]?.string.map { .string($0 + "1") } })
        #expect(try await refused { $0["at_hash"] = 1 })
        #expect(try await !refused { $0["at_hash"] = nil })
    }

    @Test func `max_age needs an auth_time that is young enough`() async throws {
        let configure: (inout OIDCConfiguration) -> Void = { $0.maxAge = .seconds(600) }
        #expect(try await refused(configure) { _ in })
        #expect(try await refused(configure) { $0["auth_time"] = 1_799_999_000 })
        #expect(try await !refused(configure) { $0["auth_time"] = 1_799_999_500 })
    }

    @Test(arguments: [TestKey.ec, .ed25519, .ed448])
    func `other algorithms are accepted when the metadata lists them`(_ key: TestKey) async throws {
        let party = try RelyingParty()
        party.issuer.use(keys: [key])
        let hash: JSONValue? =
            switch key.algorithm {
            case "EdDSA": nil
            // Of SHAKE256 with 114 bytes, by Python's hashlib.
            case "Ed448": .string("CNMrQephM7vdvEOuWKyoXa2TX90ckeS-9OFRfIcHpb8U76hIc-YOE5xR-Kgetei_Afk4Omzax9Jy")
            default: .string(ScriptedIssuer.leftHalfHash("access-0"))
            }
        party.issuer.script { $0.claims = { $0["at_hash"] = hash } }
        #expect(await code { try await party.signIn() } == .invalidIDToken)
        party.issuer.withState { $0.refreshes = 0 }
        party.issuer.script { script in
            script.discovery = { $0["id_token_signing_alg_values_supported"] = ["RS256", .string(key.algorithm)] }
        }
        _ = try await RelyingParty(party.issuer).signIn()
    }

    @Test func `configured algorithms go before the metadata`() async throws {
        #expect(try await refused({ $0.idTokenAlgorithms = [.es256] }) { _ in })
        #expect(try await !refused({ $0.idTokenAlgorithms = [.es256, .rs256] }) { _ in })
    }

    @Test func `an issuer that signs with a shared secret only is refused with a clear word`() async throws {
        let party = try RelyingParty()
        party.issuer.script { $0.discovery = { $0["id_token_signing_alg_values_supported"] = ["HS256"] } }
        let error = try await failure { try await party.signIn() }
        #expect(error.reason == .unsupported)
        #expect(error.detail.contains("HS256"))
        #expect(throws: OIDCError.self) { try IDTokenAlgorithms.named(["HS256"]) }
        #expect(throws: OIDCError.self) { try IDTokenAlgorithms.named(["none"]) }
        #expect(try IDTokenAlgorithms.named(["RS256", "EdDSA"]) == [.rs256, .edDSA])
    }

    @Test func `a token of another kind is no ID token`() async throws {
        let party = try RelyingParty()
        party.issuer.script { $0.header = { $0["typ"] = "application/AT+JWT" } }
        #expect(await code { try await party.signIn() } == .invalidIDToken)
    }

    @Test(
        arguments: [
            (["preferred_username": "ada", "email": "a@b"], "ada"), (["email": "a@b", "name": "Ada"], "a@b"),
            (["name": "Ada"], "Ada"), ([:], nil),
        ] as [([String: String], String?)]
    )
    func `the display name is the first that is known`(_ names: [String: String], _ shown: String?) async throws {
        let party = try RelyingParty()
        party.issuer.script { script in
            script.claims = { claims in
                claims["preferred_username"] = nil
                for (name, value) in names { claims[name] = .string(value) }
            }
        }
        #expect(try await party.signIn().account?.displayName == shown)
    }
}
