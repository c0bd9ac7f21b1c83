internal import AuthKitCore
internal import ProviderOIDC

/// A profile with its session and provider, as most commands need it.
struct ProfileSession: Sendable {
    /// The profile's name.
    let name: String
    /// The profile.
    let profile: Profile
    /// The vault that holds the credential.
    let vault: Vault
    /// The session over it.
    let session: Session
    /// The provider.
    let provider: ProfileProvider

    /// The flags of all commands that speak to a server.
    static let flags: [Flag] = [
        Flag("ca-file", .file("FILE"), help: "a PEM file of certificate authorities, instead of the profile's")
    ]

    /// Opens the profile that a command is about.
    ///
    /// Without a store yet it throws 77, unless one is to be made.
    static func open(_ invocation: Invocation, creating: Bool = false) async throws -> ProfileSession {
        let (name, profile) = try invocation.profile()
        let provider = try provider(profile, invocation)
        let needsPerson = provider.needsPerson
        let opened = try await invocation.withinLimit { () async throws -> Vault? in
            let opening = StoreOpening(invocation)
            if let vault = try await opening.vault(creating: creating) { return vault }
            // Where nobody has to sign in, the first token makes the store, but not anew: one that is empty was refused.
            return try await needsPerson ? nil : opening.vault(creating: true)
        }
        guard let vault = opened else {
            throw SessionError(
                .signInNeeded,
                "Nobody has signed in to \(name) yet; run: authkit login \(PrivatePlace.shellQuoted(name))"
            )
        }
        let id = ProfileBuilder.credentialID(name, profile)
        return ProfileSession(
            name: name,
            profile: profile,
            vault: vault,
            session: session(id, provider.base, vault, invocation, within: try invocation.timeLeft),
            provider: provider
        )
    }

    /// Makes a provider of a profile.
    static func provider(
        _ profile: Profile,
        _ invocation: Invocation,
        signedOutAt redirect: String? = nil
    ) throws -> ProfileProvider {
        let builder = ProfileBuilder(places: invocation.places, place: invocation.place)
        try builder.check(profile)
        let authorities = invocation.arguments.value("ca-file").map(invocation.places.absolute)
        let transport = TracingTransport(invocation.surroundings.transport(), time: invocation.time)
        if profile.provider == "niantic" {
            let confirmation = AccountConfirmation(invocation)
            return try NianticProfile(profile).provider(
                transport: transport,
                authorities: authorities,
                allowsAccountSwitch: invocation.arguments.has("switch-account"),
                insecureFileModes: invocation.insecureFileModes,
                confirm: { try await confirmation.confirm($0) },
                refused: { confirmation.tell($0) }
            )
        }
        var configuration = try builder.configuration(profile)
        if let authorities { configuration.tls.authorityFile = authorities }
        if let redirect { configuration.postLogoutRedirectURI = redirect }
        return .oidc(try OIDCProvider(configuration, transport: transport, time: invocation.time))
    }

    /// Makes a session that gives no token out which it could not store, and waits so long for a renewal at most.
    static func session(
        _ id: CredentialID,
        _ provider: any TokenProvider,
        _ vault: Vault,
        _ invocation: Invocation,
        within limit: Duration? = nil
    ) -> Session {
        var options = SessionOptions()
        options.saveFailure = .fail
        options.callerLimit = limit
        return Session(
            id,
            provider: provider,
            vault: vault,
            time: invocation.time,
            saveWindow: invocation.surroundings.saveWindow,
            options: options
        )
    }
}
