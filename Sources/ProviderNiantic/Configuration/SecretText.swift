internal import AuthKitCore

/// Reads a secret of one line from a file that only its owner may read.
enum SecretText {
    /// The line, without what surrounds it; `failure` makes the error of a sentence.
    static func read(
        _ path: String,
        limit: Int,
        insecureFileModes: Bool,
        failure: (String) -> NianticError
    ) throws(NianticError) -> Secret {
        let text: String?
        do {
            text = try SecretFile.text(path, limit: limit, insecureLooseModes: insecureFileModes)?.trimmingSpaces()
        } catch {
            throw failure(error.detail)
        }
        guard let text else { throw failure("there is no file \(path); write it, or name another one.") }
        guard JSONAnswer.isToken(text) else { throw failure("\(path) must hold one line of visible characters.") }
        return Secret(text)
    }
}
