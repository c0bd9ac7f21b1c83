extension JSONMembers {
    /// The value of a member as it was written, the quotes of a string included; nil where there is no such member.
    package func written(_ name: String) -> [UInt8]? {
        guard let member = find(JSONName(name)) else { return nil }
        return bytes.span.extracting(range).extracting(member.range).array()
    }

    /// The elements of a list as they were written; nil where there is no such member, or it is no list.
    func writtenElements(_ name: String) -> [[UInt8]]? {
        guard let list = written(name), list.first == UInt8(ascii: "[") else { return nil }
        let span = list.span
        var scanner = JSONScanner(depthLimit: 512, strictDepth: -1)
        var elements: [[UInt8]] = []
        scanner.position = 1
        scanner.skipSpaces(span)
        while !scanner.take(UInt8(ascii: "]"), span) {
            let start = scanner.position
            // The grammar was checked before, so that nothing fails here.
            guard (try? scanner.scanValue(span)) != nil else { return nil }
            elements.append(span.extracting(start..<scanner.position).array())
            scanner.skipSpaces(span)
            if scanner.take(UInt8(ascii: ","), span) { scanner.skipSpaces(span) }
        }
        return elements
    }
}
