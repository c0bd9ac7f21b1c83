/// What the identity endpoint is asked for, by its `grantType`.
enum IdentityGrant: String, Sendable, CaseIterable {
    case rotate = "refresh_user_session_access_token"
    case refresh = "exchange_build_refresh_token"
    case access = "refresh_build_access_token"
    case key = "exchange_api_key_access_token"

    /// Where its faults are.
    var point: Fault.Point {
        switch self {
        case .rotate: .nianticRotate
        case .refresh: .nianticRefresh
        case .access: .nianticAccess
        case .key: .nianticKey
        }
    }

    /// Its name in statistics.
    var step: String { "\(self)" }
}
