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
        let text: String
        do {
            guard let bytes = try SecretFile.contents(path, limit: limit, insecureLooseModes: insecureFileModes) else {
                throw failure("there is no file \(path).")
            }
            guard let decoded = unsafe bytes.withUnsafeBytes({ unsafe String(validating: $0, as: UTF8.self) }) else {
                throw failure("\(path) is no text.")
            }
            text = decoded.trimmingSpaces()
        } catch let error as NianticError {
            throw error
        } catch {
            throw failure("\(error)")
        }
        guard JSONAnswer.isToken(text) else { throw failure("\(path) must hold one line of visible characters.") }
        return Secret(text)
    }
}
