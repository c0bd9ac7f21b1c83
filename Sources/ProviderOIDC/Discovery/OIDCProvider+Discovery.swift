internal import AuthKitCore

extension OIDCProvider {
    /// How long a document is used from memory.
    static let memoryLifetime = Duration.seconds(3600)
    /// How long what a credential keeps is used before it is fetched anew.
    static let storedLifetime = Duration.seconds(86_400)

    /// What is known of the issuer: from memory, from the credential, or fetched; given addresses put over it.
    ///
    /// `fresh` asks for a new document whatever is held: an endpoint has answered that it is not there.
    func metadata(
        held: StoredCredential? = nil,
        fresh: Bool = false,
        in context: ProviderContext
    ) async throws -> ProviderMetadata {
        guard let address, needsDiscovery else {
            return ProviderMetadata(issuer: configuration.issuer).overridden(by: configuration.endpoints)
        }
        let now = context.time.now
        if !fresh, let cached = known.metadata(at: now) { return cached.overridden(by: configuration.endpoints) }
        let stored = ProviderMetadata(stored: held?.attributes[ProviderMetadata.attribute], for: configuration.issuer)
        if !fresh, let stored, let fetchedAt = stored.fetchedAt,
            (.zero..<Self.storedLifetime).contains(now.wall - fetchedAt)
        {
            return stored.overridden(by: configuration.endpoints)
        }
        do {
            let document = try await discover(address, in: context)
            known.keep(document, at: context.time.now)
            return document.overridden(by: configuration.endpoints)
        } catch let failure as any ProviderFailure {
            // Old addresses go on working while the issuer cannot answer; a wrong document is never passed over.
            guard !fresh, let stored, case .retry = failure.remedy else { throw failure }
            Trace.note("The discovery document cannot be had now; the one kept with the credential is used.")
            return stored.overridden(by: configuration.endpoints)
        }
    }

    /// Whether the discovery document is needed at all: not where every address that matters is given by hand.
    private var needsDiscovery: Bool {
        let given = configuration.endpoints
        let isWhole =
            given.authorization != nil && given.token != nil && (given.jwksURI != nil || !configuration.isOpenID)
        return !isWhole || address?.isDocument == true
    }

    /// Fetches the document from the first place that has one, and checks whose it is.
    private func discover(_ address: IssuerAddress, in context: ProviderContext) async throws -> ProviderMetadata {
        let places = address.documents(openID: configuration.isOpenID)
        guard let first = places.first else { throw OIDCError.configuration("The issuer is no usable address.") }
        let answer = try await fetch(first, in: context)
        guard answer.status == 404 || answer.status == 410 else { return try check(answer, from: first, address) }
        for place in places.dropFirst() {
            let other = try await fetch(place, in: context)
            guard other.status == 200 else { continue }
            var document = try check(other, from: place, address)
            document.includesOAuthDocument = true
            return document
        }
        return try check(answer, from: first, address)
    }

    func fetch(_ place: WebURL, in context: ProviderContext) async throws -> HTTPResponse {
        var request = HTTPRequest("GET", place, fields: [HTTPField("Accept", "application/json")])
        request.deadline = min(request.deadline, context.deadline.remaining(at: context.time.now))
        request.idleDeadline = min(request.idleDeadline, request.deadline)
        request.mayResend = true
        request.redirects = .sameOrigin(atMost: 3)
        request.tls = configuration.tls
        return try await transport.send(request)
    }

    private func check(
        _ response: HTTPResponse,
        from place: WebURL,
        _ address: IssuerAddress
    ) throws(OIDCError) -> ProviderMetadata {
        let (document, issuer) = try read(response, from: place)
        let mismatch = address.mismatch(with: issuer, in: place)
        Trace.check("issuer of the discovery document", passed: mismatch == nil, clause: "OpenID Discovery §4.3")
        if let mismatch { throw mismatch }
        var metadata = ProviderMetadata(document: document, fetchedAt: response.receivedAt.wall)
        metadata.includesOAuthDocument = IssuerAddress.isOAuthDocument(place)
        return metadata
    }

    /// The document that was answered, and the issuer that it names, unchecked.
    func read(
        _ response: HTTPResponse,
        from place: WebURL
    ) throws(OIDCError) -> (document: JSONObject, issuer: String) {
        guard response.status == 200 else {
            let isTransient = EndpointFailure.isTransient(response.status)
            throw OIDCError(
                .discoveryFailed,
                "The discovery document at \(place) was answered with status \(response.status); "
                    + (isTransient ? "try again later." : "check the issuer's address."),
                remedy: isTransient ? .retry(after: RetryAfter.duration(in: response)) : .fixConfiguration,
                delivery: .answered
            )
        }
        guard response.isJSON, let document = JSONObject.reading(response.body), let issuer = document.text("issuer")
        else {
            throw OIDCError(
                .discoveryFailed,
                "What \(place) answered is no discovery document (\(response.mediaType ?? "no type")); "
                    + "check the issuer's address.",
                remedy: .fixConfiguration,
                delivery: .answered
            )
        }
        return (document, issuer)
    }
}
