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

    /// What came of removing them.
    struct Removal: Sendable {
        /// What was removed, a sentence each.
        private(set) var removed: [String] = []
        /// What could not be, a sentence each.
        private(set) var failures: [String] = []

        /// Runs the removal of one; it counts for nothing when what was to be removed has changed, or opens.
        fileprivate mutating func add(_ sentence: String, _ work: () async throws -> Void) async throws {
            do {
                try await work()
                removed.append(sentence)
            } catch let error as StoreError where error.code == .conflict {
                return
            } catch let error as StoreError where error.code == .inputOutput || error.code == .cannotCreate {
                if failures.last != error.detail { failures.append(error.detail) }
            }
        }
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

    /// Removes the records that do not open under any key.
    ///
    /// What is replaced while this looks stays, and so does what opens. What cannot be removed holds up no other.
    func purge() async throws -> Removal {
        var removal = Removal()
        let listed = try await vault.listing().summaries.map(\.id)
        let own = profiles.sorted { $0.key < $1.key }.map { ProfileBuilder.credentialID($0.key, $0.value) }
        for id in own + listed.filter({ !own.contains($0) }) where try await isUnreadable(id) {
            guard let version = try await vault.version(of: id) else { continue }
            let next = hasProfile(id) ? "; sign in again with: authkit login \(PrivatePlace.shellQuoted(id.slot))" : "."
            try await removal.add("The stored record of \(id.slot), which could not be opened, is removed\(next)") {
                try await vault.purge(id, expecting: version)
            }
        }
        for key in try await vault.listing().damaged {
            try await removal.add("The stored record \(key) of no profile here, which could not be opened, is removed.")
            {
                try await vault.purge(damaged: key)
            }
        }
        return removal
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
            "Of no profile here, \(CountedRecords(others, past: true)) changed by something else and cannot be used; "
            + "to remove what stays, run: \(Self.removal)"
        return named + [sentence]
    }
}
