/// Rows of text in columns, for people.
struct TextTable: Sendable {
    private let rows: [[String]]

    /// Makes a table of a heading and rows of as many cells; every cell is tamed.
    init(_ heading: [String], _ rows: [[String]]) {
        self.rows = ([heading] + rows).map { $0.map(SafeText.tamed) }
    }

    /// The lines, columns aligned, each with its line end.
    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.indices.map { column in
                column == row.count - 1
                    ? row[column] : row[column] + String(repeating: " ", count: widths[column] - row[column].count)
            }
            let line = cells.joined(separator: "  ")
            return (line.lastIndex { $0 != " " }.map { String(line[...$0]) } ?? "") + "\n"
        }.joined()
    }
}
