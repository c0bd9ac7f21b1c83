import AuthKitCore

/// A key that the scripted issuer publishes and signs with.
struct TestKey: Sendable {
    let keyID: String
    let key: SigningKey

    var algorithm: String { key.algorithm.name }

    static let rsa = make("rsa-1", .rs256)
    static let otherRSA = make("rsa-2", .rs256)
    static let thirdRSA = make("rsa-3", .rs256)
    static let ec = make("ec-1", .es256)
    static let ed25519 = make("ed-1", .edDSA)
    static let ed448 = make("ed-2", .ed448)

    /// Keys that no ID token is signed with: of other types and uses, and one on a curve that nobody supports.
    static let decoys: [JSONValue] = {
        let unmarked = { (key: TestKey) -> JSONValue in
            var members = key.publicJWK(withKeyID: false).object ?? [:]
            members["alg"] = nil
            members["use"] = nil
            return .object(members)
        }
        let forEncryption = { (key: TestKey) -> JSONValue in
            var members = unmarked(key).object ?? [:]
            members["use"] = "enc"
            return .object(members)
        }
        let foreign: JSONValue = [
            "kty": "EC", "crv": "secp256k1", "use": "sig",
            "x": "eb5mfvncu6xVoGKVzocLBwKb_NstzijZWfKBWxb4F5g", "y": "SDradyajxGVdpPv8DhEIqP0XtEimhVQZnEfQj_sQ1Lg",
        ]
        return [unmarked(ec), unmarked(ed25519), foreign, forEncryption(thirdRSA), forEncryption(ec), "nonsense"]
    }()

    private static func make(_ keyID: String, _ algorithm: JWSAlgorithm) -> TestKey {
        do {
            return TestKey(keyID: keyID, key: try .generate(algorithm))
        } catch {
            preconditionFailure("no key: \(error)")
        }
    }

    func publicJWK(withKeyID: Bool = true) -> JSONValue {
        do {
            return .object(try key.publicJWK(keyID: withKeyID ? keyID : nil).members)
        } catch {
            preconditionFailure("no public key: \(error)")
        }
    }

    func sign(_ header: JSONObject, _ claims: JSONObject) -> String {
        do {
            return try JWS.sign(payload: claims.serialized(), header: header, with: key)
        } catch {
            preconditionFailure("no signature: \(error)")
        }
    }
}
