#if Postgres
import AuthKitCore
import Foundation
import Glibc
import Synchronization

/// An issuer on loopback that rotates refresh tokens: one line asks, one line answers.
///
/// A token works once, and once more within the grace, with the same answer. Any later use ends the family. Every send is
/// counted with who sent it.
final class ProofIssuer: Sendable {
    /// One token that was sent more than once.
    struct Repeat: Sendable {
        let credential: Int
        let senders: [Int]
        let times: [Double]
    }

    fileprivate struct Family: Sendable {
        var generation = 1
        var spentAt = 0.0
        var sender = -1
        var isDead = false
    }

    struct State: Sendable {
        fileprivate var families: [Family]
        /// Tokens exchanged for the first time.
        var renewed = 0
        /// Tokens sent again within the grace.
        var repeats: [Repeat] = []
        /// Tokens sent after it: a login lost each.
        var reuses: [Repeat] = []
        /// Tokens that no issuer of ours has made.
        var unknown = 0
    }

    /// For how long a spent token is answered again, in seconds.
    static let grace = 10.0

    let state: Mutex<State>
    /// Where it listens.
    let port: UInt16
    private let delay: UInt32

    /// Starts it for so many credentials.
    init(credentials: Int, delay milliseconds: Int) throws {
        state = Mutex(State(families: [Family](repeating: Family(), count: credentials)))
        delay = UInt32(milliseconds) * 1000
        let listener = try LineSocket.listen()
        port = listener.port
        Thread.detachNewThread { [self] in
            while let connection = listener.accept() {
                // A thread for each connection: a proof has a few dozen.
                Thread.detachNewThread { self.serve(connection) }
            }
        }
    }

    /// Seconds on the clock that runs while the machine is awake.
    static var now: Double { ProcessInfo.processInfo.systemUptime }

    /// The generation that is current for a credential, and whether its family lives.
    func current(_ number: Int) -> (generation: Int, isAlive: Bool) {
        state.withLock { ($0.families[number].generation, !$0.families[number].isDead) }
    }

    /// How many credentials have never been renewed.
    var remaining: Int { state.withLock { $0.families.count - $0.renewed } }

    private func serve(_ connection: LineSocket) {
        while let line = connection.readLine() {
            let fields = line.split(separator: " ")
            guard fields.count == 2, let sender = Int(fields[0]), let token = ProofCredential.parse(fields[1]) else {
                state.withLock { $0.unknown += 1 }
                return
            }
            let answer = exchange(token.number, token.generation, for: sender)
            if delay > 0 { usleep(delay) }
            guard connection.write(answer + "\n") else { return }
        }
    }

    private func exchange(_ number: Int, _ generation: Int, for sender: Int) -> String {
        let now = Self.now
        return state.withLock { state in
            guard state.families.indices.contains(number) else {
                state.unknown += 1
                return "refused"
            }
            let family = state.families[number]
            if !family.isDead, generation == family.generation {
                state.families[number] = Family(generation: generation + 1, spentAt: now, sender: sender)
                state.renewed += 1
                return "granted \(generation + 1)"
            }
            let again = Repeat(
                credential: number,
                senders: [family.sender, sender],
                times: [family.spentAt, now]
            )
            if !family.isDead, generation == family.generation - 1, now - family.spentAt <= Self.grace {
                state.repeats.append(again)
                return "granted \(family.generation)"
            }
            state.families[number].isDead = true
            state.reuses.append(again)
            return "refused"
        }
    }
}
#endif
