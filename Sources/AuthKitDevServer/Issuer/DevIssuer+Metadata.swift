import AuthKitCore
import LoopbackHTTP

extension DevIssuer {
    /// OpenID Connect Discovery §3 and RFC 8414 §2.
    func metadata(_ fault: FaultKind?) -> ServerResponse {
        let authentication: JSONValue = .strings(["none", "client_secret_basic", "client_secret_post"])
        let algorithms = options.keyAlgorithms.map(\.rawValue).sorted(by: >)
        return .json(
            JSONObject.make([
                ("issuer", .string(fault == .wrongIssuer ? url + "/other" : url)),
                ("authorization_endpoint", .string(url(.authorize))),
                ("token_endpoint", .string(url(.token))),
                ("jwks_uri", .string(url(.jwks))),
                ("userinfo_endpoint", .string(url(.userinfo))),
                ("introspection_endpoint", .string(url(.introspect))),
                ("revocation_endpoint", .string(url(.revoke))),
                ("end_session_endpoint", .string(url(.endSession))),
                ("response_types_supported", .strings(["code"])),
                ("response_modes_supported", .strings(["query", "form_post"])),
                ("grant_types_supported", .strings(["authorization_code", "refresh_token"])),
                ("code_challenge_methods_supported", .strings(["S256"])),
                ("scopes_supported", .strings(["openid", "profile", "email", "offline_access"])),
                ("subject_types_supported", .strings(["public"])),
                ("id_token_signing_alg_values_supported", .strings(algorithms)),
                ("token_endpoint_auth_methods_supported", authentication),
                ("revocation_endpoint_auth_methods_supported", authentication),
                (
                    "introspection_endpoint_auth_methods_supported",
                    .strings(["client_secret_basic", "client_secret_post"])
                ),
                ("claims_supported", .strings(Self.claims)),
                ("prompt_values_supported", .strings(["none", "login", "consent", "select_account"])),
                ("authorization_response_iss_parameter_supported", .bool(true)),
                ("request_parameter_supported", .bool(false)),
                ("request_uri_parameter_supported", .bool(false)),
                ("claims_parameter_supported", .bool(false)),
            ]).bytes
        )
    }

    /// RFC 7517 §5.
    func keySet() -> ServerResponse {
        let keys = locked { $0.keys.published }
        return .json(JSONObject.make([("keys", .array(keys.map { .object($0.publicKey) }))]).bytes)
    }

    private static let claims = [
        "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "sid", "name", "preferred_username",
        "email", "email_verified",
    ]
}
