extension Session {
    /// Signs out: the tokens are removed first and a tombstone is left, then the issuer is asked to revoke them.
    ///
    /// Takes no lease: a renewal that hangs holds nothing up, and its answer is dropped. With `local` the issuer is not
    /// asked. A record that no longer opens is replaced as well. Throws only when the tombstone cannot be saved.
    public func signOut(local: Bool = false) async throws -> SignOutReport {
        try checkUse()
        let held = try await leaveTombstone()
        guard let held, !local else {
            return SignOutReport(
                wasSignedIn: held != nil,
                revocations: [],
                endSession: nil,
                endSessionFailure: nil
            )
        }
        let context = ProviderContext(time: time, deadline: Deadline(options.signOutLimit, from: time.now))
        let revocations = await provider.revoke(held, in: context)
        var endSession: EndSessionRequest?
        var endSessionFailure: (any Error)?
        do {
            endSession = try await (provider as? any InteractiveTokenProvider)?.endSession(held, in: context)
        } catch {
            endSessionFailure = error
        }
        return SignOutReport(
            wasSignedIn: true,
            revocations: revocations,
            endSession: endSession,
            endSessionFailure: endSessionFailure
        )
    }

    /// Replaces whatever is stored by a tombstone, and returns what was held.
    private func leaveTombstone() async throws -> StoredCredential? {
        var target: Incarnation?
        for attempt in 0..<50 {
            var held: StoredCredential?
            let stored: RecordVersion?
            do {
                let entry = try await vault.load(id)
                held = entry?.credential
                stored = entry?.version
            } catch let error as VaultError where error.code == .tampered {
                stored = try await vault.version(of: id)
            }
            // A sign-in that came after we began is not ours to end.
            if attempt > 0, let stored, stored.incarnation != target { return nil }
            target = stored?.incarnation
            let tombstone = StoredCredential(id: id, incarnation: try .draw(), state: .signedOut)
            do {
                let version = try await vault.save(tombstone, replacing: stored)
                cell.publish(VaultEntry(credential: tombstone, version: version))
                return held?.state == .signedOut ? nil : held
            } catch let error as StoreError where error.code == .conflict {
                continue
            }
        }
        throw SessionError(.busy, "The record of \(id.slot) changes all the time; try to sign out again.")
    }
}
