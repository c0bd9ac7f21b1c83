public import AuthKitCore

/// The options and faults of a development server, as a file has them.
///
///     {"consent": "auto", "access_token_lifetime": 60, "faults": ["refresh:503*2"]}
///
/// Every key may be left out; one that is unknown is refused.
public struct DevServerScript: Sendable {
    /// What the script asks for, on top of what it leaves open.
    public var options: DevIssuerOptions

    /// Reads a script; throws `bad_script` or `bad_fault`.
    public init(parsing bytes: [UInt8], time: any TimeSource = SystemTime()) throws(DevServerError) {
        var reader = try ScriptReader(bytes)
        var options = DevIssuerOptions(time: time)
        if let clients = try reader.objects("clients") {
            options.clients = []
            for client in clients { options.clients.append(try Self.client(client)) }
        }
        if let users = try reader.objects("users") {
            options.users = []
            for user in users { options.users.append(try Self.user(user)) }
        }
        try reader.choice("consent", into: &options.consent)
        try reader.choice("access_token", into: &options.accessTokenForm)
        try reader.choice("alg", into: &options.algorithm)
        try reader.flag("key_for_each_alg", into: &options.hasKeyForEachAlgorithm)
        try reader.duration("code_lifetime", into: &options.codeLifetime)
        try reader.duration("access_token_lifetime", into: &options.accessTokenLifetime)
        try reader.duration("id_token_lifetime", into: &options.idTokenLifetime)
        try reader.duration("refresh_token_lifetime", into: &options.refreshTokenLifetime)
        try reader.flag("rotate", into: &options.rotatesRefreshTokens)
        try reader.duration("grace", into: &options.rotationGrace)
        try reader.flag("requires_offline_access", into: &options.requiresOfflineAccess)
        try reader.flag("publish_retired_keys", into: &options.publishesRetiredKeys)
        if let object = try reader.object("niantic") { options.niantic = try Self.niantic(object) }
        if let path = try reader.text("path") { options.path = path }
        if let faults = reader.take("faults") { options.faults = try Fault.list(faults) }
        try reader.finish()
        try options.check()
        self.options = options
    }

    private static func client(_ object: JSONObject) throws(DevServerError) -> DevClient {
        var reader = ScriptReader(object, place: "a client")
        guard let id = try reader.text("id") else { throw DevServerError(.badScript, "Give each client an id.") }
        var client = DevClient(id: id)
        client.secret = try reader.text("secret").map { Secret($0) }
        if let addresses = try reader.texts("redirect_uris") { client.redirectURIs = addresses }
        if let addresses = try reader.texts("post_logout_redirect_uris") { client.postLogoutRedirectURIs = addresses }
        client.scopes = try reader.texts("scopes")
        var algorithm = DevSigningAlgorithm.rs256
        if try reader.choice("alg", into: &algorithm) { client.algorithm = algorithm }
        try reader.finish()
        return client
    }

    private static func user(_ object: JSONObject) throws(DevServerError) -> DevUser {
        var reader = ScriptReader(object, place: "a user")
        guard let name = try reader.text("name") else { throw DevServerError(.badScript, "Give each user a name.") }
        var user = DevUser(name: name)
        if let subject = try reader.text("sub") { user.subject = subject }
        if let fullName = try reader.text("full_name") { user.fullName = fullName }
        if let email = try reader.text("email") { user.email = email }
        try reader.finish()
        return user
    }
}
