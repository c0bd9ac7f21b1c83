import AuthKitCore

extension SessionCases {
    /// Two threads with a session each, and two with the same one; both against one thread, by processor time.
    func runOnTwoThreads(_ session: Session, into report: inout Report) async throws {
        let id = CredentialID(
            provider: Self.credential.provider,
            issuer: Self.credential.issuer,
            client: Self.credential.client,
            slot: "other"
        )
        let other = Session(id, provider: FixedProvider(), vault: memory)
        _ = try await other.token()
        try await run("session.token.fresh.2-sessions", [session, other], against: session, into: &report)
        try await run("session.token.fresh.2-threads", [session, session], against: session, into: &report)
    }

    private func run(
        _ name: String,
        _ sessions: [Session],
        against one: Session,
        into report: inout Report
    ) async throws {
        guard options.wants(name) else { return }
        var measured = try await Stopwatch.compare(
            name,
            with: "one thread",
            rounds: 41,
            note: "processor time of one call"
        ) { count in
            try await Self.take(count, from: sessions)
        } baseline: { count in
            try await Self.take(count, from: [one])
        }
        let count = 200_000
        let wall = try await Stopwatch.time(count) { try await Self.take($0, from: sessions) }
        measured.add(note: "on the wall \(Int(wall)) ns")
        report.add(measured)
    }

    /// Asks so many times in all, each session on a thread of its own.
    private static func take(_ count: Int, from sessions: [Session]) async throws {
        let share = max(1, count / sessions.count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for session in sessions {
                group.addTask {
                    for _ in 0..<share { _ = try await session.token() }
                }
            }
            try await group.waitForAll()
        }
    }
}
