internal import AuthKitCore

/// Records that something else changed, put into sentences that name the profile where there is one.
struct DamagedRecords: Sendable {
    /// What a look into every record found.
    struct Examination: Sendable {
        /// How many open.
        var intact = 0
        /// What to do about those that do not; a sentence each, those of no profile in one.
        var sentences: [String]
    }

    private let vault: Vault
    private let profiles: [String: Profile]

    /// Takes the vault they are in and the profiles that may be theirs.
    init(in vault: Vault, profiles: [String: Profile]) {
        self.vault = vault
        self.profiles = profiles
    }

    /// Opens every record: metadata and tokens are sealed apart, so that a listing alone proves little.
    func examine() async throws -> Examination {
        let listing = try await vault.listing()
        var found = Examination(sentences: try await sentences(listing.damaged))
        for id in listing.summaries.map(\.id) {
            if try await isUnreadable(id) {
                found.sentences.append(Self.sentence(id.slot, hasProfile: hasProfile(id)))
            } else {
                found.intact += 1
            }
        }
        return found
    }

    /// Removes the records that open under no key; gives a sentence for each.
    ///
    /// What is replaced while this looks stays, and so does a record whose tokens open.
    func purge() async throws -> [String] {
        var removed: [String] = []
        let listed = try await vault.listing().summaries.map(\.id)
        let own = profiles.sorted { $0.key < $1.key }.map { ProfileBuilder.credentialID($0.key, $0.value) }
        for id in own + listed.filter({ !own.contains($0) }) where try await isUnreadable(id) {
            guard let version = try await vault.version(of: id) else { continue }
            guard try await isDone({ try await vault.purge(id, expecting: version) }) else { continue }
            let next = hasProfile(id) ? "; sign in again with: authkit login \(PrivatePlace.shellQuoted(id.slot))" : "."
            removed.append("The stored record of \(id.slot), which could not be opened, is removed\(next)")
        }
        for key in try await vault.listing().damaged where try await isDone({ try await vault.purge(damaged: key) }) {
            removed.append("The stored record \(key) of no profile here, which could not be opened, is removed.")
        }
        return removed
    }

    /// Whether a credential's record is there and its tokens do not open.
    private func isUnreadable(_ id: CredentialID) async throws -> Bool {
        do {
            _ = try await vault.load(id)
            return false
        } catch let error as VaultError where error.code == .tampered {
            return true
        }
    }

    /// Whether a removal was one; false when what was to be removed has changed, or opens.
    private func isDone(_ removal: () async throws -> Void) async throws -> Bool {
        do {
            try await removal()
            return true
        } catch let error as StoreError where error.code == .conflict {
            return false
        }
    }

    private func hasProfile(_ id: CredentialID) -> Bool { ProfileBuilder.profile(of: id, among: profiles) != nil }

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

    /// What removes all records that open under no key.
    static let removal = "authkit store check --purge-damaged"

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
        let sentence =
            "\(others) stored record(s) of no profile here were changed by something else and are not used; "
            + "to remove them, run: \(Self.removal)"
        return named + [sentence]
    }
}
