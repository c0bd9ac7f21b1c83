package import LoopbackHTTP

/// An answer and the way it is to be delivered.
package struct IssuerAnswer: Sendable {
    /// How an answer reaches the client.
    package enum Manner: Sendable, Hashable {
        /// At once.
        case plain
        /// After a wait.
        case delayed(Duration)
        /// Not at all; the connection stays open.
        case never
        /// Not at all; the connection is closed.
        case dropped
        /// A few bytes at a time.
        case slowly
    }

    /// What is answered.
    package var response: ServerResponse
    /// How it is delivered.
    package var manner: Manner

    /// Makes an answer.
    package init(_ response: ServerResponse, manner: Manner = .plain) {
        self.response = response
        self.manner = manner
    }
}
