import AuthKitCore
import AuthKitTesting
import Testing

@Suite struct ClaimTermTests {
    @Test func `a term holds until its end on the boot clock, whatever the wall clock does`() {
        let time = ManualTime()
        let term = ClaimTerm(.seconds(10), from: time.now)
        #expect(term.holds(at: time.now))
        time.stepWall(by: .seconds(3600))
        #expect(term.holds(at: time.now))
        time.advance(by: .seconds(10) - .nanoseconds(1))
        #expect(term.holds(at: time.now))
        time.advance(by: .nanoseconds(1))
        #expect(!term.holds(at: time.now))
    }

    @Test func `a term of another boot does not hold`() {
        let time = ManualTime()
        let term = ClaimTerm(.seconds(100_000), from: time.now)
        time.reboot()
        #expect(!term.holds(at: time.now))
    }

    @Test func `no term is longer than 30 days or shorter than nothing`() {
        let time = ManualTime()
        #expect(!ClaimTerm(.seconds(-5), from: time.now).holds(at: time.now))
        let term = ClaimTerm(.seconds(Int64.max / 4), from: time.now)
        time.advance(by: .seconds(30 * 86_400) - .seconds(1))
        #expect(term.holds(at: time.now))
        time.advance(by: .seconds(1))
        #expect(!term.holds(at: time.now))
    }
}
