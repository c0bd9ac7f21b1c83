internal import AuthKitCore
internal import ProviderOIDC

/// Makes profiles of values, checked offline, and configurations of profiles.
struct ProfileBuilder: Sendable {
    /// Where relative paths begin.
    let places: Places
    /// What secret files must be like.
    let place: PrivatePlace

    /// Makes a builder.
    init(places: Places, place: PrivatePlace) {
        self.places = places
        self.place = place
    }

    /// Checks values and puts them into a profile.
    func profile(_ provider: String, _ given: [String: [String]]) throws(CommandFailure) -> Profile {
        var profile = Profile(provider: provider)
        for field in ProfileField.fields(of: provider) ?? [] {
            guard let values = given[field.flag] else { continue }
            profile.values[field.flag] = try field.checked(
                values,
                in: places,
                user: place.user,
                insecureFileModes: place.insecureFileModes
            )
        }
        try check(profile)
        return profile
    }

    /// Checks a profile as a whole; nothing is asked of a server.
    func check(_ profile: Profile) throws(CommandFailure) {
        if profile.provider == "niantic" {
            return try NianticProfile(profile).check(insecureFileModes: place.insecureFileModes)
        }
        guard profile["client-id"] != nil else {
            throw .configuration("The profile has no client identifier; set it with --client-id.")
        }
        let hasEndpoints = profile["authorization-endpoint"] != nil && profile["token-endpoint"] != nil
        if profile["issuer"] == nil {
            guard !Self.scope(profile).contains("openid") else {
                throw .configuration(
                    "The scope contains openid, so ID tokens must be checked against an issuer; set it with --issuer."
                )
            }
            guard hasEndpoints else {
                throw .configuration(
                    "Set --issuer, or both --authorization-endpoint and --token-endpoint."
                )
            }
        }
        let configuration = try configuration(profile)
        do {
            try configuration.validate()
        } catch {
            throw .configuration(error.detail)
        }
    }

    /// What a profile asks for: its scope, or what is usual, with `openid` where there is an issuer.
    static func scope(_ profile: Profile) -> Scope {
        if let text = profile["scope"] { return Scope(text) }
        return profile["issuer"] == nil ? Scope("") : Scope("openid profile email")
    }

    /// Names the credential of a profile.
    static func credentialID(_ name: String, _ profile: Profile) -> CredentialID {
        if profile.provider == "niantic" { return NianticProfile(profile).credentialID(name) }
        return CredentialID(
            provider: ProviderKind(profile.provider),
            issuer: profile["issuer"] ?? profile["token-endpoint"] ?? "",
            client: profile["client-id"] ?? "",
            slot: name
        )
    }

    /// The profile that a credential belongs to; nil when none of that name is for that issuer and client.
    static func profile(of id: CredentialID, among profiles: [String: Profile]) -> Profile? {
        profiles[id.slot].flatMap { credentialID(id.slot, $0) == id ? $0 : nil }
    }

    /// The configuration of a profile; reads the client's secret.
    func configuration(_ profile: Profile) throws(CommandFailure) -> OIDCConfiguration {
        var configuration = OIDCConfiguration(
            issuer: profile["issuer"],
            endpoints: OIDCEndpoints(
                authorization: profile["authorization-endpoint"],
                token: profile["token-endpoint"],
                userInfo: profile["userinfo-endpoint"],
                endSession: profile["end-session-endpoint"],
                revocation: profile["revocation-endpoint"],
                jwksURI: profile["jwks-uri"]
            ),
            clientID: profile["client-id"] ?? "",
            clientAuthentication: try clientAuthentication(profile),
            scope: Self.scope(profile)
        )
        if !profile.all("redirect-uri").isEmpty { configuration.redirectURIs = profile.all("redirect-uri") }
        if profile["response-mode"] == "form_post" { configuration.responseMode = .formPost }
        configuration.audience = profile["audience"]
        configuration.resources = profile.all("resource")
        configuration.trustedAudiences = Set(profile.all("trusted-audience"))
        configuration.acrValues = profile["acr-values"]?.split(separator: " ").map(String.init) ?? []
        configuration.maxAge = profile["max-age"].flatMap(Int64.init).map { .seconds($0) }
        configuration.prompt = profile["prompt"]
        configuration.loginHint = profile["login-hint"]
        configuration.extraParameters = profile.all("param").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return FormParameter(String(halves[0]), halves.count > 1 ? String(halves[1]) : "")
        }
        configuration.postLogoutRedirectURI = profile["post-logout-redirect-uri"]
        let algorithms = profile.all("id-token-alg")
        if !algorithms.isEmpty {
            configuration.idTokenAlgorithms = algorithms.compactMap { JWSAlgorithm(name: $0) }
        }
        if let skew = profile["clock-skew"].flatMap(Int64.init) { configuration.clockSkew = .seconds(skew) }
        configuration.tls.authorityFile = profile["ca-file"]
        return configuration
    }

    private func clientAuthentication(_ profile: Profile) throws(CommandFailure) -> ClientAuthentication {
        guard let file = profile["client-secret-file"] else {
            guard let method = profile["client-auth"], method != "none" else { return .none }
            throw .configuration(
                "--client-auth \(method) needs the client's secret; name it with --client-secret-file."
            )
        }
        let method = profile["client-auth"] ?? "client_secret_basic"
        guard method != "none" else {
            throw .configuration("--client-auth none sends no secret; leave out --client-secret-file.")
        }
        let secret = try secret(file)
        if method == "client_secret_post" { return .clientSecretPost(secret) }
        return profile["basic-encoding"] == "raw"
            ? .clientSecretBasicWithoutFormEncoding(secret) : .clientSecretBasic(secret)
    }

    /// Reads a secret: the file's text without one final line end.
    private func secret(_ file: String) throws(CommandFailure) -> Secret {
        guard let bytes = try place.contents(of: file, limit: 65_536) else {
            throw .configuration(
                "The client secret's file \(file) is missing; put it back or set --client-secret-file."
            )
        }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw .configuration("The client secret in \(file) is not text in UTF-8; write it anew.")
        }
        if text.hasSuffix("\r\n") || text.hasSuffix("\n") { text.removeLast() }
        guard !text.isEmpty else { throw .configuration("The client secret's file \(file) is empty; write it anew.") }
        return Secret(text)
    }
}
