/// Makes the header fields that authorize one request after another with an access token.
///
/// A DPoP proof holds for one request: ask anew for each, redirects included. The fields are secret.
public struct Authorization: Sendable {
    /// How the token is presented.
    private enum Presentation: Sendable {
        case bearer
        case dpop(DPoPSigner)
    }

    /// The token's name, to find out later whether it is still the one in use.
    let fingerprint: TokenFingerprint
    private let token: Secret
    private let presentation: Presentation
    private let proofs: ProofCache
    private let time: any TimeSource
    private let clockOffset: Duration
    private let lastOrigin = LastOrigin()

    /// Takes a token; throws `unusable_token` when it is of a type that cannot be presented.
    init(_ held: HeldToken, of credential: StoredCredential, proofs: ProofCache, time: any TimeSource) throws {
        token = held.value
        fingerprint = held.fingerprint
        self.proofs = proofs
        self.time = time
        clockOffset = credential.clockOffset ?? .zero
        // RFC 6749 §5.1: compared without case; §7.1: a type that is not understood must not be used.
        switch held.type.lowercased() {
        case "bearer": presentation = .bearer
        case "dpop":
            guard let key = credential.keys["dpop"] else {
                throw SessionError(.unusableToken, "The token is bound to a key that is not held; sign in again.")
            }
            do {
                presentation = .dpop(try proofs.signer(for: key))
            } catch {
                throw SessionError(.unusableToken, "The DPoP key cannot be used; sign in again.", cause: error)
            }
        default:
            throw SessionError(
                .unusableToken,
                "A token of this type cannot be presented; configure the client for Bearer or DPoP tokens."
            )
        }
    }

    /// Makes the fields for one request: `Authorization`, and with DPoP a fresh proof (RFC 6750 §2.1, RFC 9449 §7.1).
    ///
    /// The method is written as it is sent. Throws `insecure_address` unless the address is `https` or on loopback
    /// (RFC 6750 §5.3).
    public func fields(method: String, url: WebURL) throws -> [HTTPField] {
        guard url.isSecureOrLoopback else {
            throw SessionError(.insecureAddress, "A token is not sent in clear to \(url.origin); use https.")
        }
        lastOrigin.note(url.origin)
        switch presentation {
        case .bearer: return [HTTPField("Authorization", secret: Secret("Bearer \(token.reveal())"))]
        case .dpop(let signer):
            let proof = try signer.proof(
                method: method,
                url: url,
                accessToken: token,
                nonce: proofs.nonce(of: url.origin),
                at: time.now.wall + clockOffset
            )
            return [
                HTTPField("Authorization", secret: Secret("DPoP \(token.reveal())")),
                HTTPField("DPoP", secret: proof),
            ]
        }
    }

    /// Keeps the nonce that an answer brings for the next proof, which any answer may do (RFC 9449 §8.2).
    ///
    /// That of a challenge is kept without this.
    public func keepNonce(of response: HTTPResponse) {
        guard let nonce = ProofCache.nonce(in: response.fields) else { return }
        proofs.keep(nonce, of: response.url.origin)
    }

    /// Keeps the nonce of a challenge; false where it brings none or is about nothing that was asked.
    func keepNonce(of challenge: AuthorizationChallenge) -> Bool {
        guard case .dpop = presentation, let nonce = challenge.nonce,
            let origin = challenge.url?.origin ?? lastOrigin.value
        else { return false }
        proofs.keep(nonce, of: origin)
        return true
    }

    /// A challenge without what repeats the token.
    func withheld(from challenge: AuthorizationChallenge) -> AuthorizationChallenge { challenge.withholding(token) }
}

/// Where fields were last made for.
private final class LastOrigin: Sendable {
    private let origin = Guarded<String?>(nil)

    var value: String? { origin.withLock { $0 } }

    func note(_ value: String) { origin.withLock { $0 = value } }
}

extension Authorization: CustomStringConvertible, CustomReflectable {
    /// Nothing of the token.
    public var description: String { "Authorization(<redacted>)" }
    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
