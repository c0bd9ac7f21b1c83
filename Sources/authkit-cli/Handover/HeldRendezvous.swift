internal import AuthKitCore

/// Remembers the rendezvous of a sign-in, so that its socket is taken away however the sign-in ends.
final class HeldRendezvous: Sendable {
    private let held = Guarded<Rendezvous?>(nil)

    /// Remembers one.
    func hold(_ rendezvous: Rendezvous) {
        held.withLock { $0 = rendezvous }
    }

    /// Takes its socket away; nothing where there is none.
    func close() {
        held.withLock { $0 }?.close()
    }
}
