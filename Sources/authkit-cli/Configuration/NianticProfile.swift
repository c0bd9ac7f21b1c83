internal import AuthKitCore
internal import ProviderNiantic

/// Reads a profile of the NSDK: which flow it is, what that needs, and the provider of it.
struct NianticProfile: Sendable {
    /// How an NSDK access token comes.
    enum Flow: String, Sendable, CaseIterable {
        /// A person at the browser, then three steps.
        case sample
        /// A service account's key.
        case serviceAccount = "service-account"
        /// A token that was made by hand.
        case developerToken = "developer-token"
        /// The app's own server.
        case backend

        /// The one field that it cannot do without.
        var needed: String? {
            switch self {
            case .sample: nil
            case .serviceAccount: "api-key-file"
            case .developerToken: "token-file"
            case .backend: "backend-url"
            }
        }

        /// The fields that mean something to it.
        var fields: Set<String> {
            switch self {
            case .sample:
                [
                    "identity-url", "sign-in-url", "sign-out-url", "redirect-type", "allow-redirect-type",
                    "redirect-uri", "user-id-claim", "ca-file",
                ]
            case .serviceAccount: ["identity-url", "api-key-file", "ca-file"]
            case .developerToken: ["token-file"]
            case .backend:
                [
                    "backend-url", "backend-method", "backend-header-file", "backend-token-field",
                    "backend-lifetime-field", "backend-end-field", "backend-error-field", "ca-file",
                ]
            }
        }
    }

    private let profile: Profile

    /// Takes a profile whose provider is `niantic`.
    init(_ profile: Profile) {
        self.profile = profile
    }

    /// Its flow.
    var flow: Flow { profile["flow"].flatMap(Flow.init(rawValue:)) ?? .sample }

    /// Whether a person has to sign in to a profile of any kind.
    static func needsPerson(_ profile: Profile) -> Bool {
        profile.provider != "niantic" || NianticProfile(profile).flow == .sample
    }

    /// What does not fit the flow, in a sentence; nil where all does.
    var misfit: String? {
        if let needed = flow.needed, profile[needed] == nil {
            return "--flow \(flow.rawValue) needs --\(needed)."
        }
        let stray = profile.values.keys.sorted().first { $0 != "flow" && !flow.fields.contains($0) }
        guard let stray else { return nil }
        let fitting = Flow.allCases.filter { $0.fields.contains(stray) }.map { "--flow \($0.rawValue)" }
        return "--\(stray) is for \(fitting.joined(separator: " and ")), not for --flow \(flow.rawValue); leave it out."
    }

    /// Why a scheme is not waited for, in a sentence that names the flag; nil where it may be, or can be none.
    private var unknownScheme: String? {
        let (type, allowed) = (redirectType, configuration.allowedSchemes)
        guard flow == .sample, !type.usesLoopback, CallbackAddress.isScheme(type.name), !allowed.contains(type.name)
        else { return nil }
        return "--redirect-type \(type.name) is none of \(allowed.sorted().joined(separator: ", ")); if a page of "
            + "yours redirects to it, add --allow-redirect-type \(type.name)."
    }

    /// Checks it as a whole; no file is read and no server asked.
    func check(insecureFileModes: Bool) throws(CommandFailure) {
        if let fault = misfit ?? unknownScheme { throw .configuration(fault) }
        do {
            _ = try provider(
                transport: AbsentTransport(),
                authorities: nil,
                allowsAccountSwitch: false,
                insecureFileModes: insecureFileModes,
                confirm: { _ in .cancel },
                refused: { _ in }
            )
        } catch let error as NianticError {
            throw .configuration(error.detail)
        } catch {
            throw .configuration("The profile cannot be used (\(type(of: error))); add it anew.")
        }
    }

    /// Where the answer of a sign-in comes to; none where nobody signs in.
    var redirectURIs: [String] { flow == .sample ? configuration.redirectURIs : [] }

    /// Names its credential.
    func credentialID(_ name: String) -> CredentialID {
        let issuer: String
        switch flow {
        case .sample, .serviceAccount: issuer = identityEndpoint
        case .developerToken: issuer = "scaniverse.nianticspatial.com"
        case .backend: issuer = profile["backend-url"] ?? ""
        }
        return CredentialID(provider: .niantic, issuer: issuer, client: flow.rawValue, slot: name)
    }

    /// The provider of its flow; `insecureFileModes` is the person's word that secret files lie on a mount without modes.
    func provider(
        transport: any HTTPTransport,
        authorities: String?,
        allowsAccountSwitch: Bool,
        insecureFileModes: Bool,
        confirm: @escaping SignInConfirmation,
        refused: @escaping SignInRefusal
    ) throws -> ProfileProvider {
        var configuration = configuration
        configuration.allowsAccountSwitch = allowsAccountSwitch
        if let authorities { configuration.tls.authorityFile = authorities }
        switch flow {
        case .sample:
            return .niantic(
                try NianticProvider(configuration, transport: transport, confirm: confirm, refused: refused)
            )
        case .serviceAccount:
            let account = ServiceAccount(
                name: "authkit",
                keyFile: profile["api-key-file"] ?? "",
                insecureFileModes: insecureFileModes
            )
            return .unattended(
                try ServiceAccountProvider(account, configuration: configuration, transport: transport)
            )
        case .developerToken:
            let path = profile["token-file"] ?? ""
            return .unattended(DeveloperTokenProvider(path: path, insecureFileModes: insecureFileModes))
        case .backend:
            var backend = backend
            backend.insecureFileModes = insecureFileModes
            if let authorities { backend.tls.authorityFile = authorities }
            return .unattended(try BackendProvider(backend, transport: transport))
        }
    }

    private var configuration: NianticConfiguration {
        var configuration = NianticConfiguration(redirectType: redirectType)
        if let url = profile["identity-url"] { configuration.identityURL = url }
        if let url = profile["sign-in-url"] {
            configuration.signInURL = url
            // Another page's session token is nothing to show to Niantic's.
            configuration.signOutURL = nil
        }
        if let url = profile["sign-out-url"] { configuration.signOutURL = url }
        configuration.allowedSchemes.formUnion(profile.all("allow-redirect-type"))
        if !profile.all("redirect-uri").isEmpty { configuration.loopbackRedirectURIs = profile.all("redirect-uri") }
        configuration.userIDClaims = profile.all("user-id-claim") + configuration.userIDClaims
        configuration.tls.authorityFile = profile["ca-file"]
        return configuration
    }

    private var redirectType: RedirectType {
        switch profile["redirect-type"] {
        case nil: .samples
        case RedirectType.unityEditor.name?: .unityEditor
        case let name?: profile.all("redirect-uri").isEmpty ? .scheme(name) : .loopback(name)
        }
    }

    private var backend: BackendConfiguration {
        var backend = BackendConfiguration(url: profile["backend-url"] ?? "")
        if let method = profile["backend-method"].flatMap(BackendConfiguration.Method.init(rawValue:)) {
            backend.method = method
        }
        backend.fieldFile = profile["backend-header-file"]
        if let name = profile["backend-token-field"] { backend.tokenField = name }
        if let name = profile["backend-lifetime-field"] { backend.lifetimeField = name }
        if let name = profile["backend-end-field"] { backend.endField = name }
        if let name = profile["backend-error-field"] { backend.errorField = name }
        backend.tls.authorityFile = profile["ca-file"]
        return backend
    }

    /// The endpoint in full, so that a base and its endpoint name one credential.
    private var identityEndpoint: String {
        let url = profile["identity-url"] ?? NianticConfiguration().identityURL
        let path = "/oauth/token"
        if url.hasSuffix(path) { return url }
        return (url.hasSuffix("/") ? String(url.dropLast()) : url) + path
    }
}
