internal import AuthKitCore

extension OIDCProvider {
    /// What is known of the issuer, with RFC 8414's document looked into where OpenID's lacks an address.
    ///
    /// Some issuers name endpoints of plain OAuth in RFC 8414's document only. It costs a request, so it is asked
    /// for by the operation that needs the address, once an hour at most, and gives only that one. That it
    /// cannot be had is no error: then the address stays absent.
    func metadata(
        needing path: WritableKeyPath<OIDCEndpoints, String?>,
        held: StoredCredential? = nil,
        in context: ProviderContext
    ) async throws -> ProviderMetadata {
        var metadata = try await metadata(held: held, in: context)
        // Without `fetchedAt` nothing is discovered: every address that matters was given by hand.
        guard metadata.endpoints[keyPath: path] == nil, !metadata.includesOAuthDocument, metadata.fetchedAt != nil,
            let issuer = metadata.issuer, let place = address?.oauthDocument
        else { return metadata }
        if let addition = known.addition(at: context.time.now) {
            metadata.endpoints[keyPath: path] = addition.endpoints[keyPath: path]
            return metadata
        }
        do {
            let answer = try await fetch(place, in: context)
            // "Not now" is not kept; "no such document" is, like a document.
            guard !EndpointFailure.isTransient(answer.status) else {
                Trace.note("RFC 8414's document cannot be had now (status \(answer.status)); it is done without.")
                return metadata
            }
            let addition = addition(in: answer, from: place, of: issuer)
            known.keep(addition: addition, at: context.time.now)
            metadata.endpoints[keyPath: path] = addition.endpoints[keyPath: path]
        } catch let error as CancellationError {
            throw error
        } catch {
            Trace.note("RFC 8414's document cannot be had now; it is done without.")
        }
        return metadata
    }

    /// What an answer names for this issuer; nothing where it is no document, or another issuer's.
    private func addition(in answer: HTTPResponse, from place: WebURL, of issuer: String) -> ProviderMetadata {
        guard let (document, named) = try? read(answer, from: place) else {
            Trace.note("There is no RFC 8414 document at \(place).")
            return ProviderMetadata()
        }
        // RFC 8414 §3.3: identical to the issuer, byte for byte, or nothing of it may be used.
        let isSame = named.hasSameBytes(as: issuer)
        Trace.check("issuer of the RFC 8414 document", passed: isSame, clause: "RFC 8414 §3.3")
        return isSame ? ProviderMetadata(document: document, fetchedAt: answer.receivedAt.wall) : ProviderMetadata()
    }
}
