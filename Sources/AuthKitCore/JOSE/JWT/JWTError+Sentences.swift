/// Sentences about what several places refuse.
extension JWTError {
    /// A header or claims that are not one acceptable JSON object.
    static func unreadable(_ code: Code, _ part: String, _ error: JSONError) -> JWTError {
        // What begins as something else is told as such, not as an error of syntax.
        let isOther = error.code == .malformed && error.offset == 0
        let reason = isOther ? "not a JSON object" : error.reason
        return JWTError(code, "The token's \(part) cannot be used: \(reason); its issuer must mend that.", cause: error)
    }

    /// An algorithm or encryption that is not supported, by its name where it has the form of one.
    ///
    /// Other texts could be anything, and no error shows what is in a token.
    static func unsupported(_ part: String, _ name: String) -> JWTError {
        let isName =
            name.utf8.count <= 20
            && name.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "_")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            }
        let named = isName && !name.isEmpty ? " \(name)" : ""
        return JWTError(
            .unsupportedAlgorithm,
            "The token's \(part)\(named) is not supported; ask its issuer for one that is."
        )
    }
}
