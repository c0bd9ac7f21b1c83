internal import AuthKitCore

/// The desktop's `mimeapps.list`, of which one entry is changed and everything else kept.
struct AssociationList: Sendable {
    private static let group = "[Default Applications]"

    private var lines: [String]
    /// Whether anything was changed.
    private(set) var isChanged = false

    /// Reads a list.
    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
    }

    /// The list as a file has it.
    var text: String { lines.map { $0 + "\n" }.joined() }

    /// Makes an entry the one application for a type.
    mutating func set(_ type: String, to entry: String) {
        let line = "\(type)=\(entry)"
        if let index = index(of: type) {
            guard lines[index] != line else { return }
            lines[index] = line
        } else if let start = lines.firstIndex(of: Self.group) {
            lines.insert(line, at: start + 1)
        } else {
            lines += (lines.isEmpty ? [] : [""]) + [Self.group, line]
        }
        isChanged = true
    }

    /// Takes an entry away from a type; another's entry stays.
    mutating func remove(_ type: String, naming entry: String) {
        guard let index = index(of: type) else { return }
        let entries = lines[index].dropFirst(type.count + 1).split(separator: ";").map { $0.trimmingSpaces() }
        let rest = entries.filter { $0 != entry }
        guard rest.count != entries.count else { return }
        if rest.isEmpty {
            lines.remove(at: index)
        } else {
            lines[index] = "\(type)=\(rest.joined(separator: ";"))"
        }
        isChanged = true
    }

    private func index(of type: String) -> Int? {
        var isInGroup = false
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("[") { isInGroup = line.trimmingSpaces() == Self.group }
            if isInGroup, line.hasPrefix(type + "=") { return index }
        }
        return nil
    }
}
