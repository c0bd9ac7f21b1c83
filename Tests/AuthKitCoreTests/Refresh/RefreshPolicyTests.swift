import AuthKitCore
import Testing

@Suite struct RefreshPolicyTests {
    private let received = Moment(wall: WallTime(seconds: 1_800_000_000), sinceBoot: .seconds(1000), boot: "b")

    private func wait(
        _ policy: RefreshPolicy,
        lifetime: Duration,
        age: Duration = .zero,
        spread: Double = 0
    ) -> Duration? {
        let now = Moment(wall: received.wall + age, sinceBoot: received.sinceBoot + age, boot: "b")
        return policy.wait(
            untilRenewalOf: .after(lifetime, from: received),
            receivedAt: received,
            at: now,
            spread: spread
        )
    }

    @Test func `a token is due its lead before it ends`() {
        let policy = RefreshPolicy(lead: .seconds(60))
        #expect(wait(policy, lifetime: .seconds(3600)) == .seconds(3540))
        #expect(wait(policy, lifetime: .seconds(3600), age: .seconds(3500)) == .seconds(40))
    }

    @Test func `a token that is due or has ended is renewed now`() {
        let policy = RefreshPolicy(lead: .seconds(60))
        #expect(wait(policy, lifetime: .seconds(3600), age: .seconds(3550)) == .zero)
        #expect(wait(policy, lifetime: .seconds(3600), age: .seconds(9000)) == .zero)
    }

    @Test(arguments: [(10, 5), (60, 30), (119, 59)]) func `a short life is used by half`(life: Int, due: Int) {
        let wait = wait(RefreshPolicy(lead: .seconds(60)), lifetime: .seconds(life))
        #expect(wait.map { $0.components.seconds } == Int64(due))
    }

    @Test func `the part of a life may be chosen`() {
        let policy = RefreshPolicy(lead: .seconds(60), leadFraction: 0.2)
        #expect(wait(policy, lifetime: .seconds(100)) == .seconds(80))
    }

    @Test func `the floor keeps two renewals apart, for a token that came as good as ended too`() {
        let policy = RefreshPolicy(lead: .seconds(60), floor: .seconds(5))
        #expect(wait(policy, lifetime: .seconds(2)) == .seconds(5))
        #expect(wait(policy, lifetime: .zero) == .seconds(5))
        #expect(wait(policy, lifetime: .zero, age: .seconds(4)) == .seconds(1))
    }

    @Test func `on a grid a token is looked at when the next check comes`() {
        let policy = RefreshPolicy(lead: .seconds(60), checkInterval: .seconds(10))
        #expect(wait(policy, lifetime: .seconds(3605)) == .seconds(3550))
        #expect(wait(policy, lifetime: .seconds(3605), age: .seconds(3544)) == .seconds(6))
        #expect(wait(policy, lifetime: .seconds(3605), age: .seconds(3546)) == .zero)
    }

    @Test func `the jitter renews earlier, never later`() {
        let policy = RefreshPolicy(lead: .seconds(60), jitter: 0.5)
        #expect(wait(policy, lifetime: .seconds(3600), spread: 1) == .seconds(3510))
        #expect(wait(policy, lifetime: .seconds(3600), spread: 0.5) == .seconds(3525))
        #expect(wait(policy, lifetime: .seconds(3600), spread: 7) == .seconds(3510))
        #expect(wait(policy, lifetime: .seconds(3600), spread: -7) == .seconds(3540))
    }

    @Test func `what is not renewed ahead of time is never due`() {
        let reactive = RefreshPolicy(mode: .reactive)
        #expect(wait(reactive, lifetime: .seconds(10)) == nil)
        for expiry in [Expiry.never, .unknown] {
            #expect(RefreshPolicy().wait(untilRenewalOf: expiry, receivedAt: received, at: received) == nil)
        }
    }

    @Test func `without a receipt what is left counts as the life`() {
        let wait = RefreshPolicy(lead: .seconds(60))
            .wait(untilRenewalOf: .at(received.wall + .seconds(40)), receivedAt: nil, at: received)
        #expect(wait == .seconds(20))
    }

    @Test func `Niantic's tokens are looked at every ten seconds and renewed within a minute of their end`() {
        #expect(wait(.niantic, lifetime: .seconds(3600)) == .seconds(3540))
        #expect(wait(.niantic, lifetime: .seconds(3595)) == .seconds(3540))
        #expect(wait(.niantic, lifetime: .seconds(100)) == .seconds(50))
    }

    @Test func `Kindly's tokens are renewed half a minute before their end, short ones in their last fifth`() {
        #expect(wait(.kindly, lifetime: .seconds(3600)) == .seconds(3570))
        #expect(wait(.kindly, lifetime: .seconds(100)) == .seconds(80))
        #expect(wait(.kindly, lifetime: .seconds(1)) == .seconds(5))
    }

    @Test func `Salesforce's tokens are renewed on demand alone`() {
        #expect(wait(.salesforce, lifetime: .seconds(1)) == nil)
        #expect(wait(.salesforce, lifetime: .seconds(1), age: .seconds(60)) == nil)
    }
}
