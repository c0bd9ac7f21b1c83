import AuthKitCore

extension SessionCases {
    /// Two threads with a session each, and two with the same one; each makes as many calls as the one thread that they
    /// are compared with, by the clock on the wall: a ratio of one is no worse per call.
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
        let measured = try await Stopwatch.pair(
            name,
            with: "one thread",
            rounds: 41,
            calls: 20_000,
            note: "one call of each thread, on the wall"
        ) { count in
            try await Self.take(count, from: sessions)
        } baseline: { count in
            try await Self.take(count, from: [one])
        }
        report.add(measured)
    }

    /// Asks each session so many times, each on a thread of its own.
    private static func take(_ count: Int, from sessions: [Session]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for session in sessions {
                group.addTask {
                    for _ in 0..<count { _ = try await session.token() }
                }
            }
            try await group.waitForAll()
        }
    }
}
