import Testing

@testable import AuthKitCore

/// The table of transitions, walked as a whole.
@Suite struct SessionMachineTests {
    private typealias Standing = SessionMachine.Standing
    private typealias Event = SessionMachine.Event

    /// One row a state, one column an event in the order of `Event.allCases`: the next state, or the name of a refusal.
    private static let table: [SessionMachine.Standing: [String]] = [
        //                signedIn    signedOut    renewing             renewed           renewalFailed
        //                renewalEnded       signInNeeded        disposed
        .signedOut: [
            "signedIn", "signedOut", "!nobodySignedIn", "!nobodySignedIn", "!nobodySignedIn",
            "!nobodySignedIn", "!nobodySignedIn", "disposed",
        ],
        .signedIn: [
            "signedIn", "signedOut", "refreshing", "signedIn", "signedIn",
            "!notRefreshing", "needsSignIn", "disposed",
        ],
        .refreshing: [
            "signedIn", "signedOut", "!alreadyRefreshing", "signedIn", "signedIn",
            "signedIn", "needsSignIn", "disposed",
        ],
        .needsSignIn: [
            "signedIn", "signedOut", "!signInNeeded", "signedIn", "!signInNeeded",
            "!notRefreshing", "needsSignIn", "disposed",
        ],
        .disposed: [String](repeating: "!disposed", count: 8),
    ]

    @Test(arguments: SessionMachine.Standing.allCases)
    func `every event in every state does what the table says`(_ standing: SessionMachine.Standing) throws {
        let row = try #require(Self.table[standing])
        try #require(row.count == Event.allCases.count)
        for (event, expected) in zip(Event.allCases, row) {
            let outcome =
                switch SessionMachine.transition(from: standing, on: event) {
                case .success(let next): "\(next)"
                case .failure(let refusal): "!\(refusal)"
                }
            #expect(outcome == expected, "\(standing) × \(event)")
        }
    }

    @Test(arguments: SessionMachine.Standing.allCases)
    func `a machine goes where the table says and stays where it refuses`(_ standing: SessionMachine.Standing) throws {
        for event in Event.allCases {
            var machine = try machine(in: standing)
            let generation = machine.generation
            switch SessionMachine.transition(from: standing, on: event) {
            case .success(let next):
                try machine.handle(event, of: generation)
                #expect(machine.standing == next)
            case .failure(let refusal):
                #expect(throws: refusal) { try machine.handle(event, of: generation) }
                #expect(machine.standing == standing)
            }
        }
    }

    @Test func `what is told of another generation changes nothing`() throws {
        var machine = try machine(in: .refreshing)
        let old = machine.generation
        let new = try Incarnation.draw()
        try machine.handle(.signedIn, of: new)
        for event in [Event.renewing, .renewed, .renewalFailed, .signInNeeded] {
            #expect(throws: SessionMachine.Refusal.otherGeneration) { try machine.handle(event, of: old) }
        }
        #expect(machine.standing == .signedIn)
        #expect(machine.generation == new)
    }

    @Test func `a problem goes with the sign-in that it asks for, and with nothing else`() throws {
        let problem = Problem(code: "invalid_grant", message: "Sign in again.", at: WallTime(seconds: 1))
        var machine = try machine(in: .signedIn)
        try machine.handle(.signInNeeded, of: machine.generation, problem: problem)
        #expect(machine.state == .needsSignIn(problem))
        try machine.handle(.signedIn, of: .draw())
        #expect(machine.state == .signedIn)
        try machine.handle(.signInNeeded, of: machine.generation)
        #expect(machine.state == .needsSignIn(nil))
    }

    private func machine(in standing: SessionMachine.Standing) throws -> SessionMachine {
        var machine = SessionMachine()
        let generation = try Incarnation.draw()
        guard standing != .signedOut else { return machine }
        try machine.handle(.signedIn, of: generation)
        switch standing {
        case .signedOut, .signedIn: break
        case .refreshing: try machine.handle(.renewing, of: generation)
        case .needsSignIn: try machine.handle(.signInNeeded, of: generation)
        case .disposed: try machine.handle(.disposed, of: nil)
        }
        #expect(machine.standing == standing)
        return machine
    }
}
