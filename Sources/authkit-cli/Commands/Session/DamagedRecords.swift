internal import AuthKitCore

/// Records that something else changed, put into sentences that name the profile where there is one.
struct DamagedRecords: Sendable {
    private let vault: Vault
    private let profiles: [String: Profile]

    /// Takes the vault they are in and the profiles that may be theirs.
    init(in vault: Vault, profiles: [String: Profile]) {
        self.vault = vault
        self.profiles = profiles
    }

    /// The profiles whose record does not open.
    func names() async throws -> [String] {
        var names: [String] = []
        for (name, profile) in profiles.sorted(by: { $0.key < $1.key }) {
            do {
                _ = try await vault.summary(of: ProfileBuilder.credentialID(name, profile))
            } catch let error as VaultError where error.code == .tampered {
                names.append(name)
            }
        }
        return names
    }

    /// Says that a profile's record does not open, and what helps.
    static func sentence(_ name: String, hasProfile: Bool = true) -> String {
        "The stored record of \(name) was changed by something else and is not used; "
            + "run: authkit \(hasProfile ? "login" : "logout") \(PrivatePlace.shellQuoted(name))"
    }

    /// A sentence for each profile whose record does not open, and one for each record of no profile.
    func sentences(_ damaged: [RecordKey]) async throws -> [String] {
        guard !damaged.isEmpty else { return [] }
        let names = try await self.names()
        let named = names.map { Self.sentence($0) }
        let others = damaged.count - names.count
        guard others > 0 else { return named }
        let sentence = "\(others) stored record(s) of no profile here were changed by something else and are not used."
        return named + [sentence]
    }
}
