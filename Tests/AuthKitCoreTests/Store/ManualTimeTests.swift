import AuthKitCore
import AuthKitTesting
import Testing

@Suite struct ManualTimeTests {
    private let time = ManualTime()

    @Test func `advancing moves both clocks and stepping one`() {
        let before = time.now
        time.advance(by: .seconds(5))
        time.stepWall(by: .seconds(-60))
        #expect(time.now.since(before) == .seconds(5))
        #expect(time.now.wall - before.wall == .seconds(-55))
        time.reboot()
        #expect(time.now.sinceBoot == .zero)
        #expect(time.now.boot != before.boot)
    }

    @Test func `sleepers wake when they are due and not before`() async throws {
        async let short: Void = time.sleep(for: .seconds(1))
        async let long: Void = time.sleep(for: .seconds(2))
        await time.waitForSleepers(2)
        time.advance(by: .milliseconds(999))
        #expect(time.remainingSleeps == [.milliseconds(1), .milliseconds(1001)])
        time.advance(by: .milliseconds(1))
        try await short
        #expect(time.remainingSleeps == [.seconds(1)])
        time.stepWall(by: .seconds(100))
        time.reboot()
        #expect(time.remainingSleeps == [.seconds(1)])
        time.advance(by: .seconds(1))
        try await long
    }

    @Test func `a cancelled sleeper ends at once`() async throws {
        let sleeper = Task { [time] in try await time.sleep(for: .seconds(1)) }
        await time.waitForSleepers(1)
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(time.remainingSleeps.isEmpty)
    }
}
