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
        #expect(try await Self.bash("bash -n \(script)").status == 0)
        let complete = { (line: [String]) in
            let words = line.map { "'\($0)'" }.joined(separator: " ")
            return """
                source \(script); COMP_WORDS=(authkit \(words)); COMP_CWORD=\(line.count); _authkit
                printf '%s\\n' "${COMPREPLY[@]}"
                """
        }
        #expect(try await Self.bash(complete(["log"])).output.split(separator: "\n") == ["login", "logout"])
        #expect(try await Self.bash(complete(["profile", "set"])).output == "set-default\n")
        #expect(try await Self.bash(complete(["token", "--form"])).output == "--format\n")
        #expect(try await Self.bash(complete(["token", "--format", "he"])).output == "header\n")
        #expect(try await Self.bash(complete(["--timeout", "5", "completion", "f"])).output == "fish\n")
    }

    @Test(.enabled(if: FileStatus.isExecutable("/usr/bin/zsh"), "zsh is not installed"))
    func `zsh reads the completion script and completes with it`() async throws {
        let harness = try CommandHarness()
        let script = try harness.write(await harness.run("completion", "zsh").output, to: "authkit.zsh")
        #expect(harness.text(of: "authkit.zsh")?.hasPrefix("#compdef authkit\n") == true)
        #expect(try await Self.run("/usr/bin/zsh", ["-f", "-n", script]).status == 0)
        // Completion runs only at a prompt: one on a terminal of its own, which lists what fits at a tab.
        let prompt = """
            zmodload zsh/zpty; zpty t zsh -f -i
            zpty -w t "autoload -U compinit; compinit -u -D; source \(script); bindkey '^I' list-choices"
            zpty -w t "PROMPT=; print -r -- rea''dy"; zpty -r -m t line '*ready*'
            zpty -n -w t $'authkit log\\t'; zpty -r -m t line '*log(in|out)*log(in|out)*' && print -r -- "$line"
            zpty -n -w t $'\\x15authkit profile set\\t'; zpty -r -m t line '*set-default*' && print -r -- "$line"
            zpty -d t
            """
        let output = try await Self.run("/usr/bin/timeout", ["20", "/usr/bin/zsh", "-f", "-c", prompt]).output
        for word in ["login", "logout", "set-default"] { #expect(output.contains(word), "\(word)") }
    }

    @Test(.enabled(if: FileStatus.isExecutable("/usr/bin/fish"), "fish is not installed"))
    func `fish reads the completion script and completes with it`() async throws {
        let harness = try CommandHarness()
        let script = try harness.write(await harness.run("completion", "fish").output, to: "authkit.fish")
        #expect(try await Self.run("/usr/bin/fish", ["--no-config", "-n", script]).status == 0)
        let complete = { (line: String) in
            let arguments = ["--no-config", "-c", "source \(script); complete -C '\(line)'"]
            let lines = try await Self.run("/usr/bin/fish", arguments).output.split(separator: "\n")
            return lines.map { $0.split(separator: "\t")[0] }
        }
        #expect(try await complete("authkit log") == ["login", "logout"])
        #expect(try await complete("authkit profile set") == ["set-default"])
        #expect(try await complete("authkit token --form") == ["--format"])
        #expect(try await complete("authkit token --format he") == ["header"])
        #expect(try await complete("authkit --timeout 5 completion f") == ["fish"])
    }

    private static func bash(_ script: String) async throws -> (status: Int32, output: String) {
        try await run("/bin/bash", ["--norc", "-c", script])
    }

    private static func run(_ program: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
        // On a thread of its own: a shell that is slow holds up no other test.
        try await ProcessTests.blocking {
            Result {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: program)
                process.arguments = arguments
                process.standardInput = FileHandle.nullDevice
                let pipe = Pipe()
                process.standardOutput = pipe
                try process.run()
                let data = pipe.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                return (process.terminationStatus, String(decoding: data, as: UTF8.self))
            }
        }.get()
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
