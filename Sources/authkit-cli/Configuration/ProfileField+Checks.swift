internal import AuthKitCore

extension ProfileField {
    /// Checks values offline and brings them into the form that is kept: lists split, paths absolute.
    ///
    /// Throws 78 with a sentence that names the setting.
    func checked(
        _ given: [String],
        in places: Places,
        user: UInt32,
        insecureFileModes: Bool
    ) throws(CommandFailure) -> [String] {
        var values = given
        switch form {
        case .redirects, .list, .algorithms:
            values = given.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
                .map { $0.trimmingSpaces() }
        case .file, .secretFile: values = given.map(places.absolute)
        default: break
        }
        for value in values {
            guard !value.isEmpty else { throw refused("is empty; give it a value, or leave the flag out") }
            guard !value.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) else {
                throw refused("contains control characters; write it without them: \(SafeText.quoted(value))")
            }
            try check(value, user: user, insecureFileModes: insecureFileModes)
        }
        return values
    }

    private func check(_ value: String, user: UInt32, insecureFileModes: Bool) throws(CommandFailure) {
        switch form {
        case .text, .list, .choice: break
        case .words:
            // RFC 6749 §3.3 for scopes; OpenID Core §3.1.2.1 has prompt and acr_values as such lists of ASCII strings.
            // Which words there are is the issuer's affair: extensions add some, so that none is refused here.
            let words = value.split(separator: " ")
            guard !words.isEmpty,
                words.allSatisfy({ $0.utf8.allSatisfy { (33...126).contains($0) && $0 != 34 && $0 != 92 } })
            else {
                throw refused("takes words of ASCII characters with a space between them: \(SafeText.quoted(value))")
            }
        case .algorithms:
            // No `none` and no shared secret: an ID token is checked with the issuer's public keys.
            guard JWSAlgorithm(name: value)?.isSymmetric == false else {
                throw refused("names no algorithm that is known, such as RS256 or ES256: \(SafeText.quoted(value))")
            }
        case .url, .issuer:
            guard let url = WebURL(value) else { throw refused("is not a URL: \(SafeText.quoted(value))") }
            guard url.isSecureOrLoopback else {
                throw refused("must be https; http is for loopback only: \(SafeText.quoted(value))")
            }
        case .redirects:
            guard let uri = CallbackURL(value), !value.contains("#") else {
                throw refused("is not an absolute URI without a fragment: \(SafeText.quoted(value))")
            }
            // RFC 8252 §7.3: plain http is for loopback only; §7.2: https needs a server, which this is not.
            guard uri.isPrivateUse || (uri.scheme == "http" && WebURL(value)?.isLoopback == true) else {
                throw refused("must be http on loopback or have a private-use scheme: \(SafeText.quoted(value))")
            }
        case .uri:
            guard let uri = CallbackURL(value), !value.contains("#") else {
                throw refused("is not an absolute URI without a fragment: \(SafeText.quoted(value))")
            }
            if !uri.isPrivateUse, WebURL(value)?.isSecureOrLoopback != true {
                throw refused("must be https; http is for loopback only: \(SafeText.quoted(value))")
            }
        case .resources:
            guard CallbackURL(value) != nil, !value.contains("#") else {
                throw refused("is not an absolute URI without a fragment: \(SafeText.quoted(value))")
            }
        case .pairs:
            guard let equals = value.firstIndex(of: "="), equals != value.startIndex else {
                throw refused("is NAME=VALUE, not \(SafeText.quoted(value))")
            }
        case .file, .secretFile: try checkFile(value, user: user, insecureFileModes: insecureFileModes)
        case .seconds(let most):
            guard value.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(value), number <= most else {
                throw refused("is a whole number of seconds up to \(most), not \(SafeText.quoted(value))")
            }
        }
    }

    private func checkFile(_ path: String, user: UInt32, insecureFileModes: Bool) throws(CommandFailure) {
        guard let status = FileStatus(path) else { throw refused("names no file: \(path) (\(SystemError.last))") }
        guard status.kind == .file else { throw refused("names no regular file: \(path)") }
        guard FileStatus.isReadable(path) else { throw refused("names a file that cannot be read: \(path)") }
        if form == .secretFile, status.isOpenToOthers, !insecureFileModes {
            throw .configuration(
                "--\(flag) names a file that other users can read; run: chmod 600 \(PrivatePlace.shellQuoted(path))",
                code: "loose_permissions"
            )
        }
    }

    private func refused(_ what: String) -> CommandFailure {
        .configuration("--\(flag) \(what).")
    }
}
