/// One way to start a browser: a program and its arguments.
struct BrowserCommand: Sendable, Hashable {
    /// The program, a name to look up or a path.
    let program: String
    private let arguments: [String]

    /// What is tried on a desktop when `$BROWSER` names nothing.
    static let desktop = SystemBrowser.desktopPrograms.map { BrowserCommand(program: $0, arguments: []) }

    private init(program: String, arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }

    /// Reads `$BROWSER`: commands between colons, tried in order; words between spaces; no shell is involved.
    static func list(_ variable: String) -> [BrowserCommand] {
        variable.split(separator: ":").compactMap { part in
            let words = part.split(separator: " ").map(String.init)
            guard let program = words.first else { return nil }
            return BrowserCommand(program: program, arguments: Array(words.dropFirst()))
        }
    }

    /// The words of the command for a URL, which stands in the place of `%s` or comes last.
    func words(for url: String) -> [String] {
        let hasPlace = arguments.contains { $0.contains("%s") }
        guard hasPlace else { return [program] + arguments + [url] }
        return [program] + arguments.map { Self.replacing(in: $0, url) }
    }

    private static func replacing(in word: String, _ url: String) -> String {
        var result = ""
        var rest = word[...]
        while let mark = rest.firstIndex(of: "%") {
            result += rest[..<mark]
            let code = rest[rest.index(after: mark)...].first
            switch code {
            case "s": result += url
            case "%": result += "%"
            default: result += "%" + (code.map { String($0) } ?? "")
            }
            rest = rest[mark...].dropFirst(code == nil ? 1 : 2)
        }
        return result + rest
    }
}
