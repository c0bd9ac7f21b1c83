/// Named places in the paths that must survive anything, where a test can stop, fail or kill the process.
///
/// Free in release builds: the call compiles to nothing.
package struct FaultPoint: Sendable, Hashable, CustomStringConvertible {
    /// The name, as given by tests.
    package let description: String

    private init(_ name: String) {
        description = name
    }

    /// The lease is held and the record was read again.
    package static let leaseTaken = FaultPoint("lease-taken")
    /// The intent is durable and nothing was sent.
    package static let intentSaved = FaultPoint("intent-saved")
    /// The answer is here and nothing of it is saved.
    package static let answerReceived = FaultPoint("answer-received")
    /// The next one-time token is durable, and the rest of the answer is not checked yet; not every provider has it.
    package static let answerCommitted = FaultPoint("answer-committed")
    /// The answer is durable and nobody was given it.
    package static let answerSaved = FaultPoint("answer-saved")
    /// A sign-in is verified and not stored.
    package static let signInVerified = FaultPoint("sign-in-verified")

    /// Every point, in the order of a refresh; the last is a sign-in's.
    package static let all = [leaseTaken, intentSaved, answerReceived, answerCommitted, answerSaved, signInVerified]

    #if DEBUG
    /// What happens at points, set for a task and those it makes.
    @TaskLocal package static var handler: (@Sendable (FaultPoint) async throws -> Void)?
    #endif

    /// Runs what a test has put here, if anything.
    package func reached() async throws {
        #if DEBUG
        try await Self.handler?(self)
        #endif
    }
}
