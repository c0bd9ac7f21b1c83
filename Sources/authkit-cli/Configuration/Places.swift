#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where everything lies, from flags and environment, before anything is opened.
struct Places: Sendable {
    private let environment: Environment
    private let configurationFlag: String?
    private let storeFlag: String?
    private let workingDirectory: String

    /// Takes the flags that choose places.
    init(
        environment: Environment,
        configuration: String?,
        store: String?,
        workingDirectory: String = Places.currentDirectory()
    ) {
        self.environment = environment
        configurationFlag = configuration
        storeFlag = store
        self.workingDirectory = workingDirectory
    }

    /// The configuration file: `--config`, `AUTHKIT_CONFIG`, in `AUTHKIT_HOME`, in `XDG_CONFIG_HOME`, in `~/.config`.
    var configurationFile: String {
        get throws(CommandFailure) {
            if let path = configurationFlag ?? environment["AUTHKIT_CONFIG"] { return absolute(path) }
            if let home = environment["AUTHKIT_HOME"] { return absolute(home) + "/config.json" }
            return try directory("XDG_CONFIG_HOME", below: ".config") + "/authkit/config.json"
        }
    }

    /// Whether the configuration file was named, not only the directory that it has by rule.
    var namesConfiguration: Bool { (configurationFlag ?? environment["AUTHKIT_CONFIG"]) != nil }

    /// The directory of the configuration file, where the key file lies too.
    var configurationDirectory: String {
        get throws(CommandFailure) { Self.parent(of: try configurationFile) }
    }

    /// The store: `--store`, `AUTHKIT_STORE`, in `AUTHKIT_HOME`, in `XDG_DATA_HOME`, in `~/.local/share`.
    var store: StoreAddress {
        get throws(CommandFailure) {
            if let text = storeFlag ?? environment["AUTHKIT_STORE"] {
                let place = storeFlag == nil ? "AUTHKIT_STORE" : "--store"
                return try StoreAddress(text, from: place, absolute: absolute)
            }
            return try usualStore
        }
    }

    /// The store that is meant when none is named.
    private var usualStore: StoreAddress {
        get throws(CommandFailure) {
            if let home = environment["AUTHKIT_HOME"] { return .sqlite(absolute(home) + "/store.db") }
            return .sqlite(try directory("XDG_DATA_HOME", below: ".local/share") + "/authkit/store.db")
        }
    }

    /// Whether a store is the one that is meant when none is named; where that cannot be said, it is another.
    func isUsual(_ address: StoreAddress) -> Bool { (try? usualStore) == address }

    /// The key file that is used when no key source is named.
    var usualKeyFile: String {
        get throws(CommandFailure) { try configurationDirectory + "/store.key" }
    }

    /// The store as a flag for a command that is to be typed, empty where that command finds it without.
    var storeFlagToType: String { storeFlag.map { " --store \(PrivatePlace.shellQuoted($0))" } ?? "" }

    /// Where sockets may lie, the one to use first: `$XDG_RUNTIME_DIR/authkit`, then beside the store.
    var socketDirectories: [String] {
        get throws(CommandFailure) {
            var result: [String] = []
            if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
                result.append(runtime + "/authkit")
            }
            if let path = try store.path { result.append(Self.parent(of: path)) }
            if result.isEmpty { result.append(try configurationDirectory) }
            return result
        }
    }

    /// Where the desktop looks for programs of the user.
    var applicationsDirectory: String {
        get throws(CommandFailure) { try directory("XDG_DATA_HOME", below: ".local/share") + "/applications" }
    }

    /// Where the desktop keeps which program opens what.
    var associationsFile: String {
        get throws(CommandFailure) { try directory("XDG_CONFIG_HOME", below: ".config") + "/mimeapps.list" }
    }

    /// An absolute form of a path that somebody typed.
    func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        var rest = path[...]
        while rest.hasPrefix("./") { rest = rest.dropFirst(2) }
        return (workingDirectory == "/" ? "" : workingDirectory) + "/" + rest
    }

    /// The directory that a path lies in.
    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// The process's working directory, `/` where it has been removed.
    static func currentDirectory() -> String {
        guard let text = unsafe getcwd(nil, 0) else { return "/" }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }

    /// A base directory of the XDG specification, which says that relative ones are to be ignored.
    private func directory(_ variable: String, below suffix: String) throws(CommandFailure) -> String {
        if let path = environment[variable], path.hasPrefix("/") { return path }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw .configuration(
                "HOME is not set; set HOME, or AUTHKIT_HOME to a directory of your own.",
                code: "no_home"
            )
        }
        if let status = FileStatus(home), status.owner != environment.user {
            throw .configuration(
                "HOME (\(home)) belongs to another user (uid \(status.owner)); set HOME or AUTHKIT_HOME to your own.",
                code: "wrong_owner"
            )
        }
        return (home == "/" ? "" : home) + "/" + suffix
    }
}
