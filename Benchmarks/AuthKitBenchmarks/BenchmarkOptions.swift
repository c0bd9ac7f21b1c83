/// What the words of the command line ask for.
struct BenchmarkOptions: Sendable {
    /// One family of cases.
    enum Group: String, CaseIterable {
        case jwt, refresh, store, cli
    }

    /// Another implementation, as a program of its own.
    struct Peer: Sendable {
        let name: String
        let path: String
    }

    var groups: [Group] = []
    var filter: String?
    var jsonFile: String?
    /// How often each side of a comparison takes its turn.
    var rounds = 151
    var command: String?
    var printOnly: String?
    var peers: [Peer] = []
    /// The program that runs workers over a PostgreSQL store.
    var postgres: String?
    /// Where tokens and keys are written for the peers.
    var peerFolder: String?

    init(_ words: some Sequence<String>) throws {
        var words = words.makeIterator()
        while let word = words.next() {
            if let group = Group(rawValue: word) {
                groups.append(group)
                continue
            }
            guard let value = words.next() else { throw BenchmarkError("'\(word)' is unknown or needs a value.") }
            switch word {
            case "--filter": filter = value
            case "--json": jsonFile = value
            case "--rounds":
                guard let number = Int(value), (1...1_000_000).contains(number) else {
                    throw BenchmarkError("--rounds needs a number from 1 to 1000000.")
                }
                rounds = number
            case "--command": command = value
            case "--print-only": printOnly = value
            case "--postgres": postgres = value
            case "--peer-folder": peerFolder = value
            case "--peer":
                let parts = value.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else { throw BenchmarkError("--peer needs NAME=PROGRAM.") }
                peers.append(Peer(name: String(parts[0]), path: String(parts[1])))
            default: throw BenchmarkError("'\(word)' is unknown.")
            }
        }
        if groups.isEmpty { groups = Group.allCases }
    }

    /// Whether a case is among those asked for.
    func wants(_ name: String) -> Bool {
        guard let filter else { return true }
        return name.contains(filter)
    }
}
