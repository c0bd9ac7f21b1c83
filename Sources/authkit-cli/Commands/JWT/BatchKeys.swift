internal import AuthKitCore

/// The keys and checkers of a batch, made once for all lines that have the same; bounded.
struct BatchKeys: Sendable {
    private static let countLimit = 1024
    private static let byteLimit = 16 << 20

    private struct KeyID: Hashable {
        let form: BatchLine.KeyForm
        let key: [UInt8]
    }

    private struct CheckID: Hashable {
        let key: Int
        let check: TokenCheck
    }

    private var keys: [KeyID: (number: Int, set: JWKSet?)] = [:]
    private var checkers: [CheckID: TokenChecker] = [:]
    private var byteCount = 0
    private var nextNumber = 0

    /// Finds or makes what checks a line's token; nil when its key is none.
    mutating func checker(for question: BatchLine.Question) -> TokenChecker? {
        let (number, set) = keys(of: question)
        guard let set else { return nil }
        let id = CheckID(key: number, check: question.check)
        if let checker = checkers[id] { return checker }
        // A check holds names that a line chose: they count as a key's bytes do.
        let byteCount = question.check.nameByteCount
        if checkers.count >= Self.countLimit || self.byteCount + byteCount > Self.byteLimit { forget() }
        self.byteCount += byteCount
        let checker = TokenChecker(question.check, with: set)
        checkers[id] = checker
        return checker
    }

    private mutating func keys(of question: BatchLine.Question) -> (Int, JWKSet?) {
        let id = KeyID(form: question.form, key: question.key)
        if let (number, set) = keys[id] { return (number, set) }
        if keys.count >= Self.countLimit || byteCount + question.key.count > Self.byteLimit {
            forget()
        }
        nextNumber += 1
        byteCount += question.key.count
        let set = try? Self.read(question)
        keys[id] = (nextNumber, set)
        return (nextNumber, set)
    }

    private mutating func forget() {
        (keys, checkers, byteCount) = ([:], [:], 0)
    }

    private static func read(_ question: BatchLine.Question) throws(JWTError) -> JWKSet {
        switch question.form {
        case .jwks: return try JWKSet(parsing: question.key)
        case .jwk: return JWKSet(single: try JWK(parsing: question.key))
        case .pem:
            guard let text = (try? JSONValue(parsing: question.key))?.string else {
                throw JWTError(.malformed, "The key is no PEM text.")
            }
            return JWKSet(single: try JWK(pem: text))
        }
    }
}
