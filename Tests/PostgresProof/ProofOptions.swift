#if Postgres
/// What went wrong with the proof itself.
struct ProofError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// What the command line says.
struct ProofOptions: Sendable {
    /// How many credentials.
    var credentials = 1000
    /// Renewals that one worker may begin in a second.
    var rate = 50.0
    /// Renewals that one worker may have under way.
    var concurrent = 24
    /// How long the issuer takes, in milliseconds.
    var delay = 20
    /// How long a worker is stopped, in seconds: longer than its leases last.
    var stopped = 10
    /// A worker's number.
    var number = 0
    /// A worker's database; the vault's key and the issuer's port come with it.
    var address = ""
    /// The issuer's port; 0 for one within the worker that costs nothing.
    var issuer: UInt16 = 0
    /// The vault's key.
    var key = ""

    /// Reads `--name value` pairs; throws for others.
    init(_ arguments: ArraySlice<String>) throws {
        var rest = arguments
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw ProofError("\(name) needs a value.") }
            let number = Int(value)
            switch (name, number) {
            case ("--credentials", let number?): credentials = number
            case ("--rate", let number?): rate = Double(number)
            case ("--concurrent", let number?): concurrent = number
            case ("--delay", let number?): delay = number
            case ("--stopped", let number?): stopped = number
            case ("--number", let number?): self.number = number
            case ("--issuer", let number?): issuer = UInt16(clamping: number)
            default: throw ProofError("Unknown argument \(name) \(value).")
            }
        }
    }
}
#endif
