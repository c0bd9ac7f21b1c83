extension RefreshMachine {
    /// How many sessions there are, and where they stand.
    package struct Counts: Sendable, Hashable {
        /// All.
        package var sessions: Int
        /// Those that will be due.
        package var armed: Int
        /// Those that are due and wait for the limits.
        package var waiting: Int
        /// Those that are being renewed.
        package var running: Int
    }

    /// Counts the sessions.
    package var counts: Counts {
        Counts(
            sessions: sessionCount,
            armed: wheel.armedCount - runningCount,
            waiting: waitingCount,
            running: runningCount
        )
    }

    /// The bytes that it takes in memory for its sessions.
    package var byteCount: Int {
        wheel.byteCount + issuers.reduce(0) { $0 + $1.byteCount }
            + offers.byteCount + resting.byteCount
    }

    /// Names idle sessions from a number on, so many at most, and the number to go on with; zero after the last.
    package func idle(from number: Int, limit: Int) -> (ids: [ID], next: Int) {
        var ids: [ID] = []
        var index = number
        while index < wheel.endIndex, ids.count < limit {
            if wheel[index].stage == .idle { ids.append(wheel.handle(at: UInt32(index))) }
            index += 1
        }
        return (ids, index < wheel.endIndex ? index : 0)
    }

    /// How many sessions are idle.
    package var idleCount: Int { sessionCount - wheel.armedCount - waitingCount }
}
