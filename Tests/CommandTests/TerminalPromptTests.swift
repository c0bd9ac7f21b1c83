import AuthKitCore
import Foundation
import Testing

@testable import authkit_cli

/// Questions on a terminal, which a pseudo-terminal stands for.
@Suite(.timeLimit(.minutes(1))) struct TerminalPromptTests {
    /// The side of the person, and the path of the terminal.
    private func terminal() throws -> (person: FileHandle, path: String) {
        let person = try #require(FileHandle(forUpdatingAtPath: "/dev/ptmx"))
        var (locked, number) = (Int32(0), Int32(-1))
        // ioctl_tty(2): TIOCSPTLCK and TIOCGPTN, whose names Swift does not see.
        let isReady = unsafe ioctl(person.fileDescriptor, 0x4004_5431, &locked) == 0
        let isNamed = unsafe ioctl(person.fileDescriptor, 0x8004_5430, &number) == 0
        try #require(isReady && isNamed)
        return (person, "/dev/pts/\(number)")
    }

    /// Reads what is shown to the person until it ends in these words.
    private static func read(_ person: FileHandle, until end: String) async {
        await ProcessTests.blocking {
            var shown = ""
            while !shown.hasSuffix(end) {
                let data = person.availableData
                guard !data.isEmpty else { return }
                shown += String(decoding: data, as: UTF8.self)
            }
        }
    }

    @Test(arguments: [("y\n", true), ("no\n", false), ("\n", false)])
    func `what was typed before the question is no answer to it`(_ answer: String, _ isYes: Bool) async throws {
        let (person, path) = try terminal()
        // Somebody has the terminal open, as a shell does: what is typed is kept for whoever reads next.
        let shell = try #require(FileHandle(forUpdatingAtPath: path))
        try person.write(contentsOf: Data("yes\ny\n".utf8))
        let prompt = TerminalPrompt(on: path, time: SystemTime())
        async let confirmed = prompt.confirm("Sign in as bob?", within: .seconds(50))
        await Self.read(person, until: "[y/N] ")
        try person.write(contentsOf: Data(answer.utf8))
        #expect(try await confirmed == isYes)
        try shell.close()
    }
}
