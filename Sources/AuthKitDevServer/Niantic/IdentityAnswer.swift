import AuthKitCore
import LoopbackHTTP

/// The identity service's answer to what was granted, misshapen as a fault wants it.
struct IdentityAnswer: Sendable {
    private var members: [(name: String, value: JSONValue?)] = []
    private var cookies: [String] = []
    private let fault: FaultKind?

    init(fault: FaultKind?) {
        self.fault = fault
    }

    /// Adds a token, unless the fault takes it away.
    mutating func add(token: String?, as name: String) {
        if fault != .noToken { members.append((name, token.map { .string($0) })) }
    }

    /// Adds the end of a token that lives so long from a time on, in the form that the fault wants.
    mutating func add(lifetime: Duration, from start: WallTime) {
        let end = start + lifetime
        let value: JSONValue? =
            switch fault {
            case .noExpiry, .noEnd, .lifetimeOnly: nil
            case .fractionalExpiry: JSONNumber(Double(end.seconds) + 0.5).map(JSONValue.number)
            case .textExpiry: .string("\(end.seconds)")
            case .millisecondExpiry: .integer(end.seconds * 1000)
            case .oddExpiry: "in an hour"
            case .earlierExpiry: .integer((start + lifetime / 2).seconds)
            case .laterExpiry: .integer((end + lifetime).seconds)
            default: .integer(end.seconds)
            }
        members.append(("expiresAt", value))
        if fault == .lifetimeOnly { add(lifetime: lifetime, until: end) }
    }

    /// Adds a lifetime, as the app's own back end has it, in the form that the fault wants.
    mutating func add(lifetime: Duration, until end: WallTime) {
        let seconds = lifetime.components.seconds
        let value: JSONValue? =
            switch fault {
            case .noExpiry, .noEnd: nil
            case .fractionalExpiry: JSONNumber(Double(seconds) + 0.5).map(JSONValue.number)
            case .textExpiry: .string("\(seconds)")
            case .oddExpiry: "in an hour"
            case .endInstead: .integer(end.seconds)
            default: .integer(seconds)
            }
        members.append((fault == .endInstead ? "expiresAt" : "expiresIn", value))
    }

    /// Adds the cookie with the session token.
    mutating func add(session token: String, until end: WallTime) {
        // A date has a comma, which is what makes folded fields hard to read.
        let usual = "refresh_token=\(token); Path=/; Expires=\(HTTPDateText.make(end)); HttpOnly; SameSite=Strict"
        switch fault {
        case .noCookie: break
        case .emptyCookie: cookies = ["refresh_token=; Path=/; HttpOnly"]
        case .deletedCookie: cookies = ["refresh_token=deleted; Path=/; Max-Age=0"]
        case .endedCookie: cookies = ["refresh_token=ended; Path=/; Expires=Thu, 01 Jan 1970 00:00:01 GMT"]
        case .severalCookies, .foldedCookies: cookies = Self.amongOthers(usual)
        case .oddCookieName: cookies = ["Refresh_Token" + usual.dropFirst("refresh_token".count)]
        default: cookies = [usual]
        }
    }

    /// The answer.
    var response: ServerResponse {
        var bytes = JSONObject.make(members).bytes
        if fault == .malformed { bytes = Array(bytes.prefix(bytes.count / 2)) }
        var response = ServerResponse.json(bytes)
        response.fields.append(HTTPField("Cache-Control", "no-store"))
        let fields = fault == .foldedCookies ? [cookies.joined(separator: ", ")] : cookies
        response.fields += fields.filter { !$0.isEmpty }.map { HTTPField("Set-Cookie", $0) }
        return response
    }

    private static func amongOthers(_ cookie: String) -> [String] {
        [
            "theme=dark; Expires=Fri, 01 Jan 2100 00:00:00 GMT", "refresh_token=; Path=/old; Max-Age=0", cookie,
            "region=eu; Path=/",
        ]
    }
}
