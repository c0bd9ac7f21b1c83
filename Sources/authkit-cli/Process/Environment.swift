#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the process was started with: read once, handed to everything that asks.
struct Environment: Sendable {
    /// All variables.
    let variables: [String: String]
    /// The user whose rights the process has.
    let user: UInt32

    /// Makes an environment; tests make their own.
    init(variables: [String: String], user: UInt32 = geteuid()) {
        self.variables = variables
        self.user = user
    }

    /// The value of a variable; an empty one counts as absent (XDG Base Directory, NO_COLOR).
    subscript(name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The process's own; names and values that are not UTF-8 are left out.
    static func ofProcess() -> Environment {
        var variables: [String: String] = [:]
        // POSIX: clearing the environment may leave no list at all.
        let start: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe environ
        guard let list = unsafe start else { return Environment(variables: [:]) }
        var index = 0
        while let entry = unsafe list[index] {
            index += 1
            guard let text = unsafe String(validatingCString: entry), let equals = text.firstIndex(of: "="),
                equals != text.startIndex
            else { continue }
            let name = String(text[..<equals])
            // The first of two entries of one name counts, as for getenv.
            if variables[name] == nil { variables[name] = String(text[text.index(after: equals)...]) }
        }
        return Environment(variables: variables)
    }

    /// The variables that a child gets: without the key sources' own, those of ours that may bear a secret, and those by
    /// which libpq gets a password.
    func forChildren(keySources: [String]) -> [String: String] {
        let keyVariables = Set(keySources.filter { $0.hasPrefix("env:") }.map { String($0.dropFirst(4)) })
        return variables.filter { name, _ in
            if keyVariables.contains(name) || Self.storePasswords.contains(name) { return false }
            return !name.hasPrefix("AUTHKIT_") || Self.harmless.contains(name)
        }
    }

    /// What libpq reads as a secret (libpq, "Environment Variables"): every other one of its variables names a place.
    private static let storePasswords: Set<String> = ["PGPASSWORD", "PGSSLPASSWORD"]

    /// Our variables that name places and bear no secret.
    private static let harmless: Set<String> = ["AUTHKIT_HOME", "AUTHKIT_CONFIG"]

    /// Finds a program as a shell would.
    func program(_ name: String) -> String? {
        if name.contains("/") { return FileStatus.isExecutable(name) ? name : nil }
        let path = self["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        for directory in path.split(separator: ":") {
            let candidate = "\(directory)/\(name)"
            if FileStatus.isExecutable(candidate), FileStatus(candidate)?.kind == .file { return candidate }
        }
        return nil
    }
}
