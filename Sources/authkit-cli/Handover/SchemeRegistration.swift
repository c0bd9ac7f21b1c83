internal import AuthKitCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Tells the desktop that addresses of a private-use scheme go to `authkit callback`.
///
/// Writes `authkit-SCHEME.desktop` into the person's applications and names it in `mimeapps.list` (Desktop Entry and
/// MIME Applications specifications). Each file is replaced atomically; doing it twice changes nothing.
struct SchemeRegistration: Sendable {
    private let scheme: String
    private let entry: String
    private let associations: String
    private let command: [String]
    private let place: PrivatePlace

    /// Finds the places; nothing is written.
    init(scheme: String, invocation: Invocation) throws(CommandFailure) {
        self.scheme = scheme
        let places = invocation.places
        entry = try places.applicationsDirectory + "/authkit-\(scheme).desktop"
        associations = try places.associationsFile
        // Modes of the desktop's own directories are its affair.
        place = PrivatePlace(user: invocation.environment.user, insecureFileModes: true)
        // The desktop starts programs without this shell's environment.
        let variables = ["AUTHKIT_HOME", "AUTHKIT_CONFIG"].compactMap { name in
            invocation.environment[name].map { "\(name)=\(places.absolute($0))" }
        }
        let program = Self.program ?? "authkit"
        command = (variables.isEmpty ? [] : ["env"] + variables) + [program, "callback"]
    }

    /// The text of the desktop entry.
    var text: String {
        """
        [Desktop Entry]
        Type=Application
        Name=authkit sign-in
        Comment=Hands a sign-in's answer to the authkit login that waits for it
        Exec=\(command.map(Self.quoted).joined(separator: " ")) %u
        NoDisplay=true
        Terminal=false
        StartupNotify=false
        MimeType=x-scheme-handler/\(scheme);

        """
    }

    /// Writes the entry and the association.
    func write() throws(CommandFailure) {
        try place.makeDirectory(Places.parent(of: entry))
        try place.replace(entry, with: Array(text.utf8))
        var list = try associationList()
        list.set("x-scheme-handler/\(scheme)", to: "authkit-\(scheme).desktop")
        try save(list)
    }

    /// Removes both.
    func remove() throws(CommandFailure) {
        if unsafe unlink(entry) != 0, errno != ENOENT {
            throw .inputOutput("\(entry) cannot be removed (\(SystemError.last)); remove it by hand.")
        }
        guard FileStatus(associations) != nil else { return }
        var list = try associationList()
        list.remove("x-scheme-handler/\(scheme)", naming: "authkit-\(scheme).desktop")
        try save(list)
    }

    private func associationList() throws(CommandFailure) -> AssociationList {
        AssociationList(String(decoding: try place.contents(of: associations, limit: 1 << 20) ?? [], as: UTF8.self))
    }

    private func save(_ list: AssociationList) throws(CommandFailure) {
        guard list.isChanged else { return }
        try place.makeDirectory(Places.parent(of: associations))
        try place.replace(associations, with: Array(list.text.utf8))
    }

    /// One argument of an Exec line: quoted, and escaped twice, as the specification has it.
    private static func quoted(_ argument: String) -> String {
        let doubled = argument.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
        let isPlain = doubled.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || "/._-+@:,%=".utf8.contains(byte)
        }
        guard !isPlain else { return doubled }
        var result = ""
        for character in doubled {
            // Within quotes these four need a backslash, and a backslash in a value is written as two.
            if character == "\\" {
                result += "\\\\\\\\"
            } else if "\"`$".contains(character) {
                result += "\\\\" + String(character)
            } else {
                result.append(character)
            }
        }
        return "\"\(result)\""
    }

    /// The path of this executable.
    private static var program: String? {
        guard let text = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}
