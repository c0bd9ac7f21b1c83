public import AuthKitCore

/// One service account: where its key lies, and whose it is.
public struct ServiceAccount: Sendable, Hashable {
    /// Its name within the tenant, for people and logs.
    public let name: String
    /// The tenant that it separates from others; empty where there is one alone.
    public let tenant: String
    /// The file with the key, 0600; one line.
    public let keyFile: String
    /// Whether a key file that others can read is taken, for mounts that know no modes.
    public let insecureFileModes: Bool
    /// More members of the request's body: whether a token can be narrowed to a person or scope is not documented.
    public let extraMembers: JSONObject

    /// Names an account; nothing is read.
    public init(
        name: String,
        tenant: String = "",
        keyFile: String,
        insecureFileModes: Bool = false,
        extraMembers: JSONObject = JSONObject()
    ) {
        self.name = name
        self.tenant = tenant
        self.keyFile = keyFile
        self.insecureFileModes = insecureFileModes
        self.extraMembers = extraMembers
    }

    /// Names what a token is made from: the key, and what is asked for beside it.
    func source(_ key: Secret) -> String {
        let asked = extraMembers.isEmpty ? "" : String(decoding: extraMembers.serialized(), as: UTF8.self)
        return TokenFingerprint(of: Secret("\(asked)\n\(key.reveal())")).word
    }

    var file: APIKeyFile { APIKeyFile(path: keyFile, insecureFileModes: insecureFileModes) }
}
