package import AuthKitCore
package import AuthKitTesting

/// What the clocks of a machine do to claims.
package enum ClaimClock {
    /// What went wrong.
    package struct Failure: Error {
        let what: String
    }

    /// Checks a store that counts by a manual clock; throws `Failure`.
    package static func check(_ store: any DueTokenStore, _ time: ManualTime) async throws {
        var record = try Sample.record(revision: 1)
        record.due = WallTime(seconds: 1)
        try await store.save(record, replacing: nil, under: nil)
        let claim = { (expected: Int, what: String) in
            let claimed = try await store.claimDue(before: nil, limit: 5, for: .seconds(60))
            if claimed.count != expected { throw Failure(what: "\(claimed.count) records are claimed \(what)") }
        }
        try await claim(1, "at first")
        for step in [Duration.seconds(-3600), .seconds(7200)] {
            time.stepWall(by: step)
            try await claim(0, "after a step of the wall clock by \(step)")
        }
        time.advance(by: .seconds(59))
        try await claim(0, "before the end")
        time.advance(by: .seconds(1))
        try await claim(1, "at the end")
        time.reboot()
        try await claim(1, "after another boot")
        // On the new boot's clock the first claim's end is far away.
        try await claim(0, "within the claim of this boot")
    }
}
