/// Written before a token that may work only once is sent, so that the next start knows what may have happened.
public struct Intent: Sendable, Hashable {
    /// How many times it was sent without an answer, this time included; an error that the server answered without
    /// saying what became of the token (a 5xx) takes its own send off again and leaves the doubt.
    public var sends: Int
    /// When it was last sent.
    public var at: WallTime

    /// Makes an intent.
    public init(sends: Int, at: WallTime) {
        self.sends = sends
        self.at = at
    }
}
