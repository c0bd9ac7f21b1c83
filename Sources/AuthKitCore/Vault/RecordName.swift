/// The names that members of a record's plaintext have.
enum RecordName: UInt8, Sendable, CaseIterable {
    case access
    case account
    case at
    case attributes
    case audience
    case boot
    case client
    case clockOffset
    case code
    case companions
    case expiry
    case format
    case from
    case id
    case idToken
    case incarnation
    case intents
    case issuer
    case key
    case keys
    case kind
    case lifetime
    case message
    case name
    case never
    case openIntent
    case problem
    case provider
    case refresh
    case renewedAt
    case replaced
    case resources
    case scope
    case sends
    case signedInAt
    case sinceBoot
    case slot
    case state
    case subject
    case token
    case tokens
    case type
    case value
    case wall

    /// The name as it is written.
    var text: String {
        switch self {
        case .access: "access"
        case .account: "account"
        case .at: "at"
        case .attributes: "attributes"
        case .audience: "audience"
        case .boot: "boot"
        case .client: "client"
        case .clockOffset: "clock_offset"
        case .code: "code"
        case .companions: "companions"
        case .expiry: "expiry"
        case .format: "format"
        case .from: "from"
        case .id: "id"
        case .idToken: "id_token"
        case .incarnation: "incarnation"
        case .intents: "intents"
        case .issuer: "issuer"
        case .key: "key"
        case .keys: "keys"
        case .kind: "kind"
        case .lifetime: "lifetime"
        case .message: "message"
        case .name: "name"
        case .never: "never"
        case .openIntent: "open_intent"
        case .problem: "problem"
        case .provider: "provider"
        case .refresh: "refresh"
        case .renewedAt: "renewed_at"
        case .replaced: "replaced"
        case .resources: "resources"
        case .scope: "scope"
        case .sends: "sends"
        case .signedInAt: "signed_in_at"
        case .sinceBoot: "since_boot"
        case .slot: "slot"
        case .state: "state"
        case .subject: "subject"
        case .token: "token"
        case .tokens: "tokens"
        case .type: "type"
        case .value: "value"
        case .wall: "wall"
        }
    }

    /// A bit of its own: names are fewer than 64.
    var bit: UInt64 { 1 &<< UInt64(rawValue) }
}
