/// The name of a member of a record's JSON, as two numbers: the names that records have are no longer than that.
struct RecordName: Sendable, Hashable {
    /// Its first eight bytes, the first one lowest; zeros behind a shorter name.
    private let low: UInt64
    /// Its next eight bytes.
    private let high: UInt64
    /// How many bytes it has.
    let count: Int

    /// Takes the bytes of a name.
    init(_ bytes: Span<UInt8>) {
        count = bytes.count
        low = JSONName.prefix(of: bytes)
        high = bytes.count > 8 ? JSONName.prefix(of: bytes.extracting(droppingFirst: 8)) : 0
    }

    /// Its bytes, behind each other.
    func write(to output: inout OutputSpan<UInt8>) {
        for index in 0..<count {
            let word = index < 8 ? low : high
            output.append(UInt8(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: 8 &* (index & 7))))
        }
    }

    private init(_ name: String) {
        let span = name.utf8Span.span
        self.init(span)
    }

    /// A bit that tells most names apart; it differs within each kind of object that records have.
    var bit: UInt64 {
        // A multiplicative hash; its upper six bits choose the bit.
        let hash = ((low ^ high) &+ UInt64(truncatingIfNeeded: count)) &* 0xF813_0C42_3773_0EDF
        return 1 &<< (hash &>> 58)
    }
}

extension RecordName {
    static let access = RecordName("access")
    static let account = RecordName("account")
    static let at = RecordName("at")
    static let attributes = RecordName("attributes")
    static let audience = RecordName("audience")
    static let boot = RecordName("boot")
    static let client = RecordName("client")
    static let clockOffset = RecordName("clock_offset")
    static let code = RecordName("code")
    static let companions = RecordName("companions")
    static let expiry = RecordName("expiry")
    static let format = RecordName("format")
    static let from = RecordName("from")
    static let id = RecordName("id")
    static let idToken = RecordName("id_token")
    static let incarnation = RecordName("incarnation")
    static let intents = RecordName("intents")
    static let issuer = RecordName("issuer")
    static let key = RecordName("key")
    static let keys = RecordName("keys")
    static let kind = RecordName("kind")
    static let lifetime = RecordName("lifetime")
    static let message = RecordName("message")
    static let name = RecordName("name")
    static let never = RecordName("never")
    static let openIntent = RecordName("open_intent")
    static let problem = RecordName("problem")
    static let provider = RecordName("provider")
    static let refresh = RecordName("refresh")
    static let renewedAt = RecordName("renewed_at")
    static let resources = RecordName("resources")
    static let scope = RecordName("scope")
    static let sends = RecordName("sends")
    static let signedInAt = RecordName("signed_in_at")
    static let sinceBoot = RecordName("since_boot")
    static let slot = RecordName("slot")
    static let state = RecordName("state")
    static let subject = RecordName("subject")
    static let token = RecordName("token")
    static let tokens = RecordName("tokens")
    static let type = RecordName("type")
    static let value = RecordName("value")
    static let wall = RecordName("wall")
}
