import AuthKitCore

extension DevServerScript {
    /// Reads what stands under `niantic`.
    static func niantic(_ object: JSONObject) throws(DevServerError) -> DevNianticOptions {
        var reader = ScriptReader(object, place: "niantic")
        var options = DevNianticOptions()
        if let schemes = try reader.texts("schemes") { options.schemes = Set(schemes) }
        if let types = try reader.texts("loopback_types") { options.loopbackTypes = Set(types) }
        try reader.duration("session_token_lifetime", into: &options.sessionTokenLifetime)
        try reader.duration("session_access_token_lifetime", into: &options.sessionAccessTokenLifetime)
        try reader.duration("refresh_token_lifetime", into: &options.refreshTokenLifetime)
        try reader.duration("access_token_lifetime", into: &options.accessTokenLifetime)
        try reader.flag("rotate_session", into: &options.rotatesSessionTokens)
        try reader.flag("rotate_refresh", into: &options.rotatesRefreshTokens)
        try reader.flag("sign_out_ends_session", into: &options.signOutEndsSession)
        if let status = try reader.number("refusal_status", in: 400...499) { options.refusalStatus = Int(status) }
        if let seconds = try reader.number("clock_ahead", in: -86_400...86_400) {
            options.clockAhead = .seconds(seconds)
        }
        if let claims = try reader.texts("omitted_claims") { options.omittedClaims = Set(claims) }
        if let accounts = try reader.objects("service_accounts") {
            options.serviceAccounts = []
            for account in accounts { options.serviceAccounts.append(try serviceAccount(account)) }
        }
        if let token = try reader.text("backend_token") { options.backendToken = Secret(token) }
        try reader.finish()
        return options
    }

    private static func serviceAccount(_ object: JSONObject) throws(DevServerError) -> DevServiceAccount {
        var reader = ScriptReader(object, place: "a service account")
        guard let name = try reader.text("name"), let key = try reader.text("key") else {
            throw DevServerError(.badScript, "Give each service account a name and a key.")
        }
        try reader.finish()
        return DevServiceAccount(name: name, key: Secret(key))
    }
}
