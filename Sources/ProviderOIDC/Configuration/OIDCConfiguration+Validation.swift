internal import AuthKitCore

extension OIDCConfiguration {
    /// Parameters of an authorization request that the flow or a setting of its own decides.
    static let reservedParameters: Set<String> = [
        "state", "nonce", "client_id", "client_secret", "redirect_uri", "code", "code_challenge",
        "code_challenge_method", "code_verifier", "response_type", "response_mode", "scope", "request", "request_uri",
        "max_age", "acr_values", "prompt", "login_hint", "audience", "resource", "id_token_hint", "grant_type",
        "client_assertion", "client_assertion_type", "iss",
    ]

    /// Checks everything that can be checked without the network.
    ///
    /// Throws `invalid_configuration` with a sentence that names the setting.
    public func validate() throws(OIDCError) {
        try require(!clientID.isEmpty, "The client identifier is empty; set the one registered at the issuer.")
        try validateIssuer()
        for (name, address) in endpoints.named {
            guard let url = WebURL(address), url.isSecureOrLoopback else {
                throw .configuration("\(name) is not an https URL (or http on loopback): \"\(address)\".")
            }
        }
        try validateRedirects()
        try validateRequest()
        try require(
            clockSkew >= .zero && clockSkew < .seconds(360),
            "The clock skew must be at least 0 and below 360 seconds."
        )
        try require(idTokenAlgorithms?.isEmpty != true, "The list of ID-token algorithms is empty.")
        try clientAuthentication.validate(clientID: clientID)
    }

    private func validateIssuer() throws(OIDCError) {
        if let issuer {
            guard IssuerAddress(issuer) != nil else {
                throw .configuration(
                    "The issuer must be an https URL (or http on loopback) without query or fragment: \"\(issuer)\"."
                )
            }
            return
        }
        try require(
            !isOpenID,
            "The scope contains openid, so the issuer must be known to check ID tokens: set --issuer."
        )
        try require(
            endpoints.authorization != nil && endpoints.token != nil,
            "Set an issuer, or both the authorization and the token endpoint."
        )
    }

    private func validateRedirects() throws(OIDCError) {
        for redirect in redirectURIs {
            // RFC 6749 §3.1.2: absolute, without a fragment.
            try require(
                redirect.contains(":") && !redirect.contains("#") && redirect.utf8.allSatisfy { $0 > 32 && $0 < 127 },
                "A redirect URI must be absolute, in ASCII and without a fragment: \"\(redirect)\"."
            )
            // RFC 8252 §7.3: plain http is for loopback only.
            let isHTTP = redirect.lowercased().hasPrefix("http:")
            try require(
                !isHTTP || WebURL(redirect)?.isLoopback == true,
                "A redirect URI with http must name a loopback address: \"\(redirect)\"."
            )
        }
    }

    private func validateRequest() throws(OIDCError) {
        for parameter in extraParameters {
            try require(!parameter.name.isEmpty, "An extra parameter has no name.")
            try require(
                !Self.reservedParameters.contains(parameter.name),
                "The parameter \"\(parameter.name)\" is set by the sign-in itself and cannot be an extra parameter."
            )
        }
        if let maxAge {
            try require(maxAge >= .zero, "max_age must not be negative.")
            // OpenID Connect Core §3.1.2.1: a fresh sign-in cannot be had without showing anything.
            try require(
                !(maxAge == .zero && Scope(prompt ?? "").contains("none")),
                "max_age=0 and prompt=none exclude each other."
            )
        }
        let prompts = Scope(prompt ?? "")
        try require(
            !(prompts.contains("none") && prompts.values.count > 1),
            "prompt=none excludes every other prompt value."
        )
        for resource in resources {
            // RFC 8707 §2: an absolute URI without a fragment.
            try require(
                resource.contains(":") && !resource.contains("#"),
                "A resource must be an absolute URI without a fragment: \"\(resource)\"."
            )
        }
    }

    private func require(_ holds: Bool, _ sentence: String) throws(OIDCError) {
        guard holds else { throw .configuration(sentence) }
    }
}
