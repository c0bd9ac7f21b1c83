extension Fault {
    /// Reads `POINT:KIND`, with options and a count behind it.
    ///
    ///     token:503                    once
    ///     refresh:429;retry-after=3    with a header field
    ///     refresh:hang=5*2             twice
    ///     jwks:503;html*               always
    ///
    /// Throws `bad_fault`; the sentence lists what there is.
    public init(parsing text: String) throws(DevServerError) {
        let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let point = Point(rawValue: String(halves[0])) else {
            let points = Point.allCases.map(\.rawValue).joined(separator: ", ")
            throw DevServerError(.badFault, "Write a fault as POINT:KIND, where POINT is one of \(points).")
        }
        let parts = halves[1].split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
        let kind = try FaultKind(parsing: String(parts[0]), at: point)
        let count = try Self.count(parts.count == 2 ? String(parts[1]) : "1")
        self.init(point, kind, count: count)
    }

    /// Reads what stands behind the first `*`; nil means always.
    static func count(_ text: String) throws(DevServerError) -> Int? {
        if text.isEmpty || text == "*" || text == "always" { return nil }
        guard let count = Int(text), (1...1_000_000).contains(count) else {
            throw DevServerError(.badFault, "Write how often a fault happens as *2, or as * for always.")
        }
        return count
    }
}

extension Fault: CustomStringConvertible {
    /// The form that `init(parsing:)` reads.
    public var description: String {
        let times = count.map { $0 == 1 ? "" : "*\($0)" } ?? "*"
        return "\(point.rawValue):\(kind)\(times)"
    }
}

extension FaultKind {
    /// Reads a kind and its options, and checks that it belongs to the point.
    init(parsing text: String, at point: Fault.Point) throws(DevServerError) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        guard let kind = Self.read(parts[0], options: Array(parts.dropFirst())), kind.isPossible(at: point) else {
            throw DevServerError(
                .badFault,
                "There is no fault \(text.prefix(40).debugDescription) at \(point.rawValue); there are "
                    + Self.known(at: point).joined(separator: ", ") + "."
            )
        }
        self = kind
    }

    /// What can be written at a point.
    static func known(at point: Fault.Point) -> [String] {
        let error = FaultKind.error("server_error").isPossible(at: point) ? ["error=CODE"] : []
        let values = FaultKind.skewed(seconds: 1).isPossible(at: point) ? ["user-id=CLAIM", "skew=SECONDS"] : []
        let plain = words.filter { $0.kind.isPossible(at: point) }.map(\.word)
        let always = ["STATUS (400 to 599, with ;retry-after=N, ;retry-date=N or ;html)", "hang=SECONDS"]
        return always + error + values + plain
    }

    private static func read(_ word: String, options: [String]) -> FaultKind? {
        if let status = Int(word) {
            guard (400...599).contains(status) else { return nil }
            return self.status(status, options: options)
        }
        guard options.isEmpty else { return nil }
        if word.hasPrefix("hang=") {
            return Int(word.dropFirst(5)).flatMap { (1...3600).contains($0) ? .hang(seconds: $0) : nil }
        }
        if word.hasPrefix("error=") {
            let code = word.dropFirst(6)
            let isCode =
                !code.isEmpty && code.utf8.count <= 64 && code.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "_") }
            return isCode ? .error(String(code)) : nil
        }
        if word.hasPrefix("skew=") {
            return Int(word.dropFirst(5)).flatMap { $0 != 0 && $0.magnitude <= 86_400 ? .skewed(seconds: $0) : nil }
        }
        if word.hasPrefix("user-id=") {
            let name = word.dropFirst(8)
            // What can stand in a claim's name or a URL, and has no meaning in a fault.
            let isName =
                (1...128).contains(name.utf8.count)
                && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._~:/".contains($0)) }
            return isName ? .userIDClaim(String(name)) : nil
        }
        return words.first { $0.word == word }?.kind
    }

    private static func status(_ status: Int, options: [String]) -> FaultKind? {
        if let date = options.first, date.hasPrefix("retry-date=") {
            guard options.count == 1, let seconds = Int(date.dropFirst(11)), (0...86_400).contains(seconds) else {
                return nil
            }
            return .busyUntil(status, seconds: seconds)
        }
        var retryAfter: Int?
        var asPage = false
        for option in options {
            if option == "html" {
                asPage = true
            } else if option.hasPrefix("retry-after="), let seconds = Int(option.dropFirst(12)), seconds >= 0 {
                retryAfter = seconds
            } else {
                return nil
            }
        }
        return .status(status, retryAfter: retryAfter, asPage: asPage)
    }
}
