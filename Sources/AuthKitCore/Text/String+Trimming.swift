extension StringProtocol {
    /// Without spaces, tabs and line ends at both ends.
    package func trimmingSpaces() -> String {
        let isSpace = { (character: Character) in
            character == " " || character == "\t" || character == "\n" || character == "\r" || character == "\r\n"
        }
        let front = drop(while: isSpace)
        guard let last = front.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(front[...last])
    }
}
