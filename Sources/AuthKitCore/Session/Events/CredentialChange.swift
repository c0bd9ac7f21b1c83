/// One thing that happened to a credential, for the machines and for people.
struct CredentialChange: Sendable {
    /// What the state machines are told; nil where no state is concerned.
    let machineEvent: SessionMachine.Event?
    /// The life of the credential that it happened to.
    let generation: Incarnation
    /// What goes with a needed sign-in.
    var problem: Problem?
    /// What subscribers are told; nil where nobody needs to know.
    let event: SessionEvent?

    /// The end of a renewal that brought nothing, or its failure.
    static func renewalEnded(_ failure: (any Error)?, of generation: Incarnation) -> CredentialChange {
        guard let failure, !(failure is CancellationError) else {
            return CredentialChange(machineEvent: .renewalEnded, generation: generation, event: nil)
        }
        let (code, remedy) = describe(failure)
        var retryAfter: Duration?
        if case .retry(let after) = remedy { retryAfter = after }
        return CredentialChange(
            machineEvent: .renewalFailed,
            generation: generation,
            event: .renewalFailed(code: code, remedy: remedy, retryAfter: retryAfter)
        )
    }

    /// What there is to tell between two states of one record, in order.
    static func changes(from old: CredentialSnapshot?, to new: CredentialSnapshot) -> [CredentialChange] {
        let credential = new.entry.credential
        let before = old?.entry.credential
        var changes: [CredentialChange] = []
        func add(_ machineEvent: SessionMachine.Event?, _ event: SessionEvent?, problem: Problem? = nil) {
            changes.append(
                CredentialChange(
                    machineEvent: machineEvent,
                    generation: credential.incarnation,
                    problem: problem,
                    event: event
                )
            )
        }
        let isNewLife = before?.incarnation != credential.incarnation
        if credential.state == .signedOut {
            if isNewLife { add(.signedOut, .signedOut) }
            return changes
        }
        if isNewLife {
            let earlier = before?.state == .signedOut ? nil : before
            let isOther = earlier.map { !$0.isSameAccount(as: credential) } ?? false
            add(
                .signedIn,
                isOther
                    ? .accountSwitched(from: earlier?.account, to: credential.account, credential.incarnation)
                    : .signedIn(as: credential.account, credential.incarnation)
            )
        } else {
            for (key, token) in credential.accessTokens where before?.accessTokens[key] != token {
                add(.renewed, .renewed(key, credential.expiry(of: token)))
            }
        }
        if new.isUnsaved, old?.isUnsaved != true { add(nil, .unsaved) }
        if !new.isUnsaved, old?.isUnsaved == true { add(nil, .saved) }
        if credential.state == .needsSignIn, isNewLife || before?.state != .needsSignIn {
            add(.signInNeeded, .needsSignIn(credential.problem), problem: credential.problem)
        }
        return changes
    }

    /// A code and a remedy for whatever a renewal threw; nothing of its text, which nobody has looked at.
    private static func describe(_ failure: any Error) -> (code: String, remedy: Remedy) {
        switch failure {
        case let failure as any ProviderFailure: (failure.code, failure.remedy)
        case let failure as StoreError: (failure.code.description, .retry(after: nil))
        case let failure as VaultError: (failure.code.description, .fixConfiguration)
        default: ("internal", .retry(after: nil))
        }
    }
}

extension StoredCredential {
    /// Whether the same account is signed in; who nobody knows is taken for the same.
    fileprivate func isSameAccount(as other: StoredCredential) -> Bool {
        guard let account, let next = other.account else { return true }
        return account.issuer == next.issuer && account.subject == next.subject
    }
}
