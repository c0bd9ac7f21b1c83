/// Where a browser goes to end the person's session at the issuer.
public struct EndSessionRequest: Sendable {
    /// The address with its token hint: reaches a browser only through a one-shot loopback address.
    public let address: Secret
    /// The same without the hint, fit to be printed.
    public let printable: String

    /// What the way back must carry (RP-Initiated Logout §3); nil where nothing comes back.
    public let state: Secret?

    /// Makes a request.
    public init(address: Secret, printable: String, state: Secret? = nil) {
        self.address = address
        self.printable = printable
        self.state = state
    }
}
