internal import AuthKitCore

/// One line of a batch, read and not yet checked.
struct BatchLine: Sendable {
    /// Where a line has its key.
    enum KeyForm: String, Sendable, Hashable, CaseIterable {
        case jwks
        case jwk
        case pem
    }

    /// The longest line that is read.
    ///
    /// The largest token and the largest key set fit into it together, and a token that is too large as well.
    static let byteLimit = 4 << 20
    /// So much of a longer line is looked at for its `id`.
    static let headLimit = 4096

    /// The `id` as written, `null` where there is none.
    let id: [UInt8]
    /// What is asked; nil when the line cannot be used.
    let question: Question?

    /// What a line asks.
    struct Question: Sendable {
        /// The token.
        let token: String
        /// The form of its key.
        let form: KeyForm
        /// The key as written.
        let key: [UInt8]
        /// What is checked.
        let check: TokenCheck
        /// As of when; nil for now.
        let time: WallTime?
    }

    /// Reads a line.
    init(_ line: [UInt8]) {
        guard let members = Self.members(line) else {
            (id, question) = (Self.null, nil)
            return
        }
        id = members.written("id") ?? Self.null
        question = Question(members)
    }

    /// Finds the `id` in what was kept of a line that is too long; null unless it stands there among the first members.
    static func id(inHead head: [UInt8]) -> [UInt8] {
        let ends = head.indices.lazy.filter { head[$0] == UInt8(ascii: ",") }.prefix(16)
        for end in ends {
            guard let id = members(head[..<end] + [UInt8(ascii: "}")])?.written("id") else { continue }
            return id
        }
        return null
    }

    /// A key set in a line may hold keys that are no acceptable objects: what is within the members is read later.
    private static func members(_ line: [UInt8]) -> JSONMembers? {
        let limits = JSONLimits(depth: 64, byteCount: byteLimit)
        return try? JSONMembers(parsing: line, limits: limits, toleratingValues: true)
    }

    /// Whether a line has nothing but spaces.
    static func isBlank(_ line: [UInt8]) -> Bool {
        line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
    }

    /// An `id` that nobody gave.
    static let null = Array("null".utf8)
}

extension BatchLine.Question {
    /// Reads the members; nil when one has the wrong type, or there is not exactly one key.
    ///
    /// What is `null` is absent.
    fileprivate init?(_ members: JSONMembers) {
        guard let token = members["token"]?.string else { return nil }
        self.token = token
        var keys: [(form: BatchLine.KeyForm, key: [UInt8])] = []
        for form in BatchLine.KeyForm.allCases {
            guard let key = members.written(form.rawValue), key != BatchLine.null else { continue }
            guard key.first == UInt8(ascii: form == .pem ? "\"" : "{") else { return nil }
            keys.append((form, key))
        }
        guard keys.count == 1, let (form, key) = keys.first else { return nil }
        (self.form, self.key) = (form, key)
        guard let check = TokenCheck(members), let time = Self.time(members) else { return nil }
        (self.check, self.time) = (check, time.value)
    }

    private static func time(_ members: JSONMembers) -> (value: WallTime?, Void)? {
        guard let value = members.given("at") else { return (nil, ()) }
        return TokenCheck.time(value).map { ($0, ()) }
    }
}

extension TokenCheck {
    /// Reads what a line asks for; nil when a member has the wrong type or is out of bounds.
    fileprivate init?(_ members: JSONMembers) {
        guard members.fill(&issuer, "issuer", \.string), members.fill(&audience, "audience", \.string),
            members.fill(&type, "typ", \.string), members.fill(&nonce, "nonce", \.string)
        else { return nil }
        var (requires, signatureOnly, skew): (Bool?, Bool?, Duration?)
        guard members.fill(&requires, "require_exp", \.bool), members.fill(&signatureOnly, "signature_only", \.bool),
            members.fill(&skew, "clock_skew", { $0.number?.seconds }), members.fill(&algorithms, "alg", Self.algorithms)
        else { return nil }
        requiresExpiry = requires ?? false
        isSignatureOnly = signatureOnly ?? false
        clockSkew = skew ?? clockSkew
        guard clockSkew >= .zero, clockSkew < Self.skewLimit else { return nil }
        // As on the command line: nothing may seem to be checked that is not.
        guard !isSignatureOnly || !checksClaims else { return nil }
    }

    /// The algorithms of a list of names; unknown ones allow nothing.
    private static func algorithms(_ value: JSONValue) -> [JWSAlgorithm]? {
        guard let elements = value.array, case let names = elements.compactMap(\.string), names.count == elements.count
        else { return nil }
        return names.compactMap(JWSAlgorithm.init(name:))
    }
}

extension JSONMembers {
    /// A member that is there and not null.
    fileprivate func given(_ name: String) -> JSONValue? {
        guard let value = self[name], !value.isNull else { return nil }
        return value
    }

    /// Reads a member where it is given; false when it is not what it should be.
    fileprivate func fill<Value>(
        _ target: inout Value?,
        _ name: String,
        _ read: (JSONValue) -> Value?
    ) -> Bool {
        guard let value = given(name) else { return true }
        target = read(value)
        return target != nil
    }
}
