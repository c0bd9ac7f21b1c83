#if Postgres
import AuthKitCore
import StorePostgres
import Synchronization

/// What was promised, and whether it held.
struct ProofVerdict {
    private let issuer: ProofIssuer
    private let options: ProofOptions
    private var lines: [(holds: Bool, text: String)] = []

    init(issuer: ProofIssuer, options: ProofOptions) {
        self.issuer = issuer
        self.options = options
    }

    /// No token is sent twice but those whose intent was open when their worker died or stalled, and none is refused.
    mutating func judgeSends(killed: Double, stopped: Double, resumed: Double) {
        let (renewed, repeats, reuses, unknown) = issuer.state.withLock {
            ($0.renewed, $0.repeats, $0.reuses, $0.unknown)
        }
        // Open when worker 0 was killed: sent before, and not a second long. Open when worker 1 was stopped: the same, or
        // its intent was saved and it sent when it went on, after another had.
        let afterKill = repeats.filter { $0.senders[0] == 0 && (-1.0...0.1).contains($0.times[0] - killed) }
        let afterStop = repeats.filter { again in
            let firstSend = again.senders[0] == 1 && (-1.0...0.1).contains(again.times[0] - stopped)
            let lateSend = again.senders[1] == 1 && (0.0...1.0).contains(again.times[1] - resumed)
            return firstSend || lateSend
        }
        let others = repeats.count - afterKill.count - afterStop.count
        add(renewed == options.credentials, "\(renewed) of \(options.credentials) credentials renewed, once each")
        add(
            afterKill.count <= options.concurrent,
            "\(afterKill.count) tokens sent again whose intent was open when worker 0 was killed"
        )
        add(
            afterStop.count <= options.concurrent,
            "\(afterStop.count) tokens sent again whose intent was open when worker 1 was stopped"
        )
        add(others == 0, "\(others) tokens sent twice for another reason")
        for again in repeats where !isExplained(again, afterKill + afterStop) {
            lines.append((false, "  credential \(again.credential): \(again.senders) at \(again.times)"))
        }
        add(reuses.isEmpty, "\(reuses.count) tokens sent after the grace: logins lost")
        for again in reuses.prefix(10) {
            lines.append((false, "  credential \(again.credential): \(again.senders) at \(again.times)"))
        }
        add(unknown == 0, "\(unknown) tokens that the issuer never made")
    }

    /// Every credential is renewed, and its answer stored, before its token ends: so long after the first was sealed.
    mutating func judgeTime(_ took: Double, working: Double) {
        let life = Double(ProofCredential.firstLife.components.seconds)
        add(
            took < life,
            "the last answer was stored \(Int(took)) s after the first was sealed (tokens lived \(Int(life)) s): "
                + "\(Int(Double(options.credentials) / working)) a second in \(Int(working)) s of work"
        )
    }

    /// No worker found a token ended when it had renewed it, by the clock of its own.
    ///
    /// Nothing is allowed for the restarts: they take seconds of the half hour that tokens live. The worker that was
    /// killed tells nothing; `judgeTime` holds for what it renewed as well.
    mutating func judgeLate(_ ends: [String]) {
        let counts = ends.map { Self.count("late", in: $0) }
        let late = counts.reduce(0) { $0 + ($1 ?? 0) }
        let told = counts.filter { $0 != nil }.count
        add(
            late == 0 && told == ends.count && told > 0,
            "\(late) credentials were late, as \(told) of \(ends.count) workers that lived tell"
        )
    }

    /// The worker that was stopped found its late writes refused.
    mutating func judgeFencing(_ end: String) {
        let refused = Self.count("fenced", in: end) ?? 0
        add(refused > 0, "\(refused) late writes of worker 1 were refused by their fencing numbers")
    }

    /// What is stored is what the issuer last gave, signed in, without doubt.
    mutating func judgeStore(_ store: PostgresStore, key: String) async throws {
        let vault = try await Vault.open(store, keySource: EnvironmentKey(name: "key") { _ in key })
        let end = WallTime(seconds: 1 << 40)
        var (found, wrong, doubtful) = (0, 0, 0)
        while true {
            let records = try await store.claimDue(before: end, limit: 1000, for: .seconds(3600))
            if records.isEmpty { break }
            for record in records {
                let credential = try await vault.open(record).credential
                found += 1
                guard let number = Int(credential.id.slot) else { continue }
                let current = issuer.current(number)
                let expected = ProofCredential.token(number, current.generation)
                if !current.isAlive || credential.state != .signedIn || credential.refreshToken?.value != expected {
                    wrong += 1
                }
                if !credential.intents.isEmpty || credential.problem != nil { doubtful += 1 }
            }
        }
        add(found == options.credentials, "\(found) credentials are stored")
        add(wrong == 0, "\(wrong) of them lost: signed out, or not the token that the issuer gave last")
        add(doubtful == 0, "\(doubtful) with an open intent or a problem")
    }

    /// Prints all and a closing line; whether all held.
    func report() -> Bool {
        for line in lines { emit("\(line.holds ? "ok  " : "FAIL") \(line.text)") }
        let holds = lines.allSatisfy(\.holds)
        emit(holds ? "The proof holds: \(lines.count) of \(lines.count)." : "The proof fails: see FAIL above.")
        return holds
    }

    /// A number among the words that a worker says at its end: `late=0`.
    private static func count(_ name: String, in end: String) -> Int? {
        let word = end.split(separator: " ").first { $0.hasPrefix("\(name)=") }
        return word.flatMap { Int($0.dropFirst(name.count + 1)) }
    }

    private mutating func add(_ holds: Bool, _ text: String) {
        lines.append((holds, text))
    }

    private func isExplained(_ again: ProofIssuer.Repeat, _ explained: [ProofIssuer.Repeat]) -> Bool {
        explained.contains { $0.credential == again.credential && $0.times == again.times }
    }
}
#endif
