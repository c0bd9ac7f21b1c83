import Testing

@testable import authkit_cli

@Suite struct LineSplitterTests {
    @Test(arguments: 1...12)
    func `lines are the same whatever pieces they come in`(_ size: Int) {
        let text = Array("ab\n\nabcd\nabcde\nlast".utf8)
        var splitter = LineSplitter(limit: 4, headLimit: 2)
        var lines: [LineSplitter.Line] = []
        for start in stride(from: 0, to: text.count, by: size) {
            lines += splitter.take(Array(text[start..<min(start + size, text.count)]))
        }
        lines += splitter.finish().map { [$0] } ?? []
        let long = LineSplitter.Line.tooLong(head: Array("ab".utf8))
        #expect(lines == ["ab", "", "abcd", nil, "last"].map { $0.map { .text(Array($0.utf8)) } ?? long })
    }

    @Test func `an end behind the last line adds none`() {
        var splitter = LineSplitter(limit: 4, headLimit: 2)
        #expect(splitter.take(Array("a\n".utf8)) == [.text([97])])
        #expect(splitter.finish() == nil)
    }
}
