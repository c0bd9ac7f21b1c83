import Foundation
import Testing

@testable import authkit_cli

@Suite struct CommandTableTests {
    @Test func `a flag of one name takes a value in every command or in none`() {
        var known: [String: Bool] = [:]
        for flag in CommandTable.all.flatMap(\.flags) + Flag.global {
            #expect(known[flag.name, default: flag.takesValue] == flag.takesValue, "\(flag.name)")
            known[flag.name] = flag.takesValue
        }
    }

    @Test func `no command declares a flag twice or hides a global one`() {
        for shape in CommandTable.all {
            let names = (shape.flags + Flag.global).map(\.name)
            #expect(Set(names).count == names.count, "\(shape.name)")
        }
    }

    @Test(arguments: CommandTable.all.map(\.name))
    func `every command has help with its flags and examples`(_ name: String) async throws {
        let harness = try CommandHarness()
        let outcome = await harness.run(name.split(separator: " ").map(String.init) + ["--help"])
        #expect(outcome.exit == .done)
        #expect(outcome.output.contains("Usage: authkit \(name)"))
        #expect(outcome.output.contains("Examples:\n  "))
        let shape = try #require(CommandTable.all.first { $0.name == name })
        for flag in shape.flags + Flag.global { #expect(outcome.output.contains("--\(flag.name)")) }
    }

    @Test func `the examples of every command parse`() throws {
        let parser = ArgumentParser(CommandTable.all)
        for example in CommandTable.all.flatMap(\.examples) where example.hasPrefix("authkit ") {
            let plain = example.split(separator: "&").first.map(String.init) ?? example
            let words = Self.words(plain.split(separator: "<")[0].split(separator: ">").first.map(String.init) ?? plain)
            #expect(throws: Never.self, "\(example)") { try parser.parse(Array(words.dropFirst())) }
        }
    }

    @Test func `the whole and each group have help`() async throws {
        let harness = try CommandHarness()
        let all = await harness.run("--help")
        #expect(all.exit == .done)
        #expect(all.output.contains("profile add"))
        let group = await harness.run("profile", "--help")
        #expect(group.output.contains("profile set-default"))
        #expect(!group.output.contains("logout"))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `completion names every command`(_ shell: String) async throws {
        let harness = try CommandHarness()
        let outcome = await harness.run("completion", shell)
        #expect(outcome.exit == .done)
        for shape in CommandTable.all { #expect(outcome.output.contains(shape.words[0])) }
    }

    @Test func `bash reads the completion script and completes with it`() async throws {
        let harness = try CommandHarness()
        let script = try harness.write(await harness.run("completion", "bash").output, to: "authkit.bash")
        #expect(try Self.bash("bash -n \(script)").status == 0)
        let complete = { (line: [String]) in
            let words = line.map { "'\($0)'" }.joined(separator: " ")
            return """
                source \(script); COMP_WORDS=(authkit \(words)); COMP_CWORD=\(line.count); _authkit
                printf '%s\\n' "${COMPREPLY[@]}"
                """
        }
        #expect(try Self.bash(complete(["log"])).output.split(separator: "\n") == ["login", "logout"])
        #expect(try Self.bash(complete(["profile", "set"])).output == "set-default\n")
        #expect(try Self.bash(complete(["token", "--form"])).output == "--format\n")
        #expect(try Self.bash(complete(["token", "--format", "he"])).output == "header\n")
        #expect(try Self.bash(complete(["--timeout", "5", "completion", "f"])).output == "fish\n")
    }

    private static func bash(_ script: String) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["--norc", "-c", script]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    /// Splits at spaces outside quotes.
    private static func words(_ line: String) -> [String] {
        var result: [String] = []
        var word = ""
        var quote: Character?
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character == " " {
                if !word.isEmpty { result.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        return word.isEmpty ? result : result + [word]
    }
}
