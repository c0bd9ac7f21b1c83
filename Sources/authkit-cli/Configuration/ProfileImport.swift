internal import AuthKitCore

/// Makes a profile of a file that another program reads or a server has written.
///
/// Known are AppAuth's `auth_config.json` and the answer of a client registration (OpenID Connect Dynamic Client
/// Registration §3.2, RFC 7591 §3.2.1). Empty strings count as absent.
struct ProfileImport: Sendable {
    /// The values for the profile, not checked yet.
    private(set) var values: [String: [String]] = [:]
    /// The client's secret, to be kept in a file of its own.
    private(set) var clientSecret: Secret?
    /// Keys that were not understood and left out.
    private(set) var ignored: [String] = []

    private let object: JSONObject

    /// Reads a document; throws 65 when it is neither of the two.
    init(parsing bytes: [UInt8], from file: String) throws(CommandFailure) {
        let document: JSONValue
        do {
            document = try JSONValue(parsing: bytes)
        } catch {
            throw CommandFailure(
                .badData,
                "malformed",
                "\(file) is no JSON that can be used: \(error.reason); export it again."
            )
        }
        guard let object = document.object else {
            throw CommandFailure(.badData, "malformed", "\(file) is not a JSON object; name an auth_config.json.")
        }
        self.object = object
        let appAuthKeys = ["authorization_scope", "discovery_uri", "authorization_endpoint_uri", "redirect_uri"]
        if appAuthKeys.contains(where: { object[$0] != nil }) {
            try readAppAuth(file)
        } else if object["client_id"] != nil {
            try readRegistration(file)
        } else {
            throw CommandFailure(
                .badData,
                "malformed",
                "\(file) is neither an AppAuth auth_config.json nor a client registration: it has no client_id."
            )
        }
        if values["client-id"] == nil {
            throw CommandFailure(.configuration, "invalid_configuration", "\(file) has no client_id; write it there.")
        }
    }

    /// Takes values given by flags over those of the file.
    mutating func override(_ others: [String: [String]]) {
        values.merge(others) { _, new in new }
    }

    /// Leaves out redirect URIs that cannot be received here, such as a web server's, as long as another one can.
    mutating func keepUsableRedirects() {
        let usable = (values["redirect-uri"] ?? []).filter { text in
            CallbackURL(text).map { $0.isPrivateUse || ($0.scheme == "http" && WebURL(text)?.isLoopback == true) }
                ?? false
        }
        if !usable.isEmpty { values["redirect-uri"] = usable }
    }

    private mutating func readAppAuth(_ file: String) throws(CommandFailure) {
        let texts = [
            "client_id": "client-id", "authorization_scope": "scope", "discovery_uri": "issuer",
            "authorization_endpoint_uri": "authorization-endpoint", "token_endpoint_uri": "token-endpoint",
            "registration_endpoint_uri": "registration-endpoint", "user_info_endpoint_uri": "userinfo-endpoint",
            "end_session_endpoint_uri": "end-session-endpoint", "end_session_endpoint": "end-session-endpoint",
            "redirect_uri": "redirect-uri", "end_session_redirect_uri": "post-logout-redirect-uri",
        ]
        for member in object.members {
            if let flag = texts[member.name] {
                if let text = try text(member, file) { values[flag] = [text] }
            } else if member.name == "client_secret" {
                clientSecret = try text(member, file).map { Secret($0) }
            } else if member.name == "https_required" {
                // `false` changes nothing: http stays for loopback only, which is allowed anyway.
                guard member.value.bool != nil || member.value.isNull else { throw wrongForm(member.name, file) }
            } else {
                ignored.append(member.name)
            }
        }
    }

    private mutating func readRegistration(_ file: String) throws(CommandFailure) {
        let texts = ["client_id": "client-id", "scope": "scope", "issuer": "issuer"]
        for member in object.members {
            switch member.name {
            case "client_id", "scope", "issuer":
                if let flag = texts[member.name], let text = try text(member, file) { values[flag] = [text] }
            case "client_secret": clientSecret = try text(member, file).map { Secret($0) }
            case "token_endpoint_auth_method":
                guard let method = try text(member, file) else { break }
                guard ["none", "client_secret_basic", "client_secret_post"].contains(method) else {
                    throw .configuration(
                        "\(file) registers the client for \(SafeText.quoted(method)), which this build does not know; "
                            + "register it for client_secret_basic."
                    )
                }
                values["client-auth"] = [method]
            case "redirect_uris":
                if let uris = try list(member, file) { values["redirect-uri"] = uris }
            case "post_logout_redirect_uris":
                if let first = try list(member, file)?.first { values["post-logout-redirect-uri"] = [first] }
            case "id_token_signed_response_alg":
                if let name = try text(member, file) { values["id-token-alg"] = [name] }
            case "default_max_age":
                if member.value.isNull { break }
                guard let number = member.value.int64, number >= 0 else { throw wrongForm(member.name, file) }
                values["max-age"] = [String(number)]
            case "default_acr_values":
                if let names = try list(member, file) { values["acr-values"] = [names.joined(separator: " ")] }
            default: ignored.append(member.name)
            }
        }
        // RFC 7591 §2: without a method the client uses client_secret_basic, which a client without a secret cannot.
        if values["client-auth"] == nil, clientSecret == nil { values["client-auth"] = ["none"] }
    }

    private func text(_ member: JSONObject.Member, _ file: String) throws(CommandFailure) -> String? {
        if member.value.isNull { return nil }
        guard let text = member.value.string else { throw wrongForm(member.name, file) }
        return text.isEmpty ? nil : text
    }

    private func list(_ member: JSONObject.Member, _ file: String) throws(CommandFailure) -> [String]? {
        if member.value.isNull { return nil }
        guard let elements = member.value.array else { throw wrongForm(member.name, file) }
        let texts = elements.compactMap(\.string)
        guard texts.count == elements.count else { throw wrongForm(member.name, file) }
        let present = texts.filter { !$0.isEmpty }
        return present.isEmpty ? nil : present
    }

    private func wrongForm(_ name: String, _ file: String) -> CommandFailure {
        CommandFailure(.badData, "malformed", "\(file): \(SafeText.quoted(name)) does not have the form it should.")
    }
}
