import AuthKitCore
import Testing

@Suite struct PresetMatrixTests {
    @Test(arguments: TokenKind.allCases, TokenKind.allCases)
    func `a preset believes tokens of its kind and no other`(_ kind: TokenKind, _ asked: TokenKind) throws {
        let isSamePreset = kind.policy == asked.policy
        let refusal = try kind.refusal(by: asked.policy)
        #expect((refusal == nil) == isSamePreset, "\(kind) by \(asked): \(String(describing: refusal))")
    }

    @Test(arguments: TokenKind.allCases)
    func `a type of its own does not change what a token is`(_ kind: TokenKind) throws {
        // A token that claims the type of another kind is refused by that kind's claims, and by its own preset.
        for other in TokenKind.allCases where other.policy != kind.policy {
            guard let type = other.type, type != "JWT" else { continue }
            // An access token and an ID token of one audience have the same claims: the type is all there is.
            if other == .accessToken, kind == .idToken || kind == .untypedLogoutToken || kind == .logoutToken {
                continue
            }
            #expect(try kind.refusal(by: other.policy, type: type) != nil, "\(kind) as \(type)")
            #expect(try kind.refusal(type: type) == .wrongType, "\(kind) as \(type)")
        }
    }

    @Test(arguments: TokenKind.allCases)
    func `every claim that a kind requires is asked for`(_ kind: TokenKind) throws {
        for name in kind.required {
            #expect(try kind.refusal { $0[name] = nil } == .missingClaim, "\(kind) without \(name)")
        }
    }

    @Test(arguments: TokenKind.allCases)
    func `every kind that must have a type has it`(_ kind: TokenKind) throws {
        let isTyped = [.accessToken, .requestObject, .dpopProof].contains(kind)
        #expect(try kind.refusal(type: .some(nil)) == (isTyped ? .wrongType : nil))
        #expect(try kind.refusal(type: "JWT") == (isTyped ? .wrongType : nil))
        #expect(try kind.refusal(type: "other+jwt") == .wrongType)
        guard let type = kind.type else { return }
        #expect(try kind.refusal(type: "application/" + type.uppercased()) == nil)
    }

    @Test(arguments: TokenKind.allCases.filter { $0 != .dpopProof })
    func `every kind has one issuer, and an audience where it has one`(_ kind: TokenKind) throws {
        #expect(try kind.refusal { $0["iss"] = "https://other.example" } == .wrongIssuer)
        #expect(try kind.refusal { $0["aud"] = "other" } == (kind == .chatToken ? nil : .wrongAudience))
    }

    @Test(arguments: TokenKind.allCases.filter { $0 != .dpopProof })
    func `every kind ends`(_ kind: TokenKind) throws {
        #expect(try kind.refusal(at: 1_800_000_359) == nil)
        #expect(try kind.refusal(at: 1_800_000_360) == .expired)
    }

    @Test(arguments: TokenKind.allCases)
    func `presets allow the algorithm that their standard names unless told otherwise`(_ kind: TokenKind) throws {
        let url = try #require(WebURL(TokenKind.address))
        let (issuer, client) = (TokenKind.issuer, TokenKind.client)
        let preset: JWTPolicy =
            switch kind {
            case .idToken: .idToken(issuer: issuer, clientID: client, nonce: nil)
            case .accessToken: .accessToken(issuer: issuer, audience: client)
            case .untypedLogoutToken, .logoutToken: .logoutToken(issuer: issuer, clientID: client)
            case .authorizationResponse: .authorizationResponse(issuer: issuer, clientID: client)
            case .chatToken: .chatToken(issuer: issuer, chatID: "chat-1")
            case .clientAssertion, .typedClientAssertion: .clientAssertion(clientID: client, audience: issuer)
            case .requestObject: .requestObject(clientID: client, audience: issuer)
            case .dpopProof: .dpopProof(method: "GET", url: url, accessToken: nil, nonce: nil)
            }
        #expect(preset.algorithms == [kind == .dpopProof ? .es256 : .rs256])
        #expect(preset.clockSkew == .seconds(60))
        #expect(preset.rules == kind.policy.rules)
    }
}
