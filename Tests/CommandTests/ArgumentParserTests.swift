import Testing

@testable import authkit_cli

@Suite struct ArgumentParserTests {
    private let parser = ArgumentParser(CommandTable.all)

    private func arguments(_ words: String...) throws -> ParsedArguments? {
        guard case .run(let parsed) = try parser.parse(words) else { return nil }
        return parsed
    }

    private func message(_ words: String...) -> String? {
        do {
            _ = try parser.parse(words)
            return nil
        } catch {
            return error.message
        }
    }

    @Test func `global flags stand before and after the command's words`() throws {
        for words in [["--json", "profile", "list"], ["profile", "--json", "list"], ["profile", "list", "--json"]] {
            guard case .run(let parsed) = try parser.parse(words) else {
                Issue.record("not a command: \(words)")
                continue
            }
            #expect(parsed.shape.name == "profile list")
            #expect(parsed.has("json"))
        }
    }

    @Test func `a command's own flags may stand before its words`() throws {
        let parsed = try arguments("--format", "json", "token", "work")
        #expect(parsed?.value("format") == "json")
        #expect(parsed?.operands == ["work"])
    }

    @Test func `a value follows its flag or an equals sign`() throws {
        #expect(try arguments("token", "--min-ttl", "5")?.value("min-ttl") == "5")
        #expect(try arguments("token", "--min-ttl=5")?.value("min-ttl") == "5")
        #expect(try arguments("profile", "edit", "x", "--param", "a=b=c")?.all("param") == ["a=b=c"])
        #expect(try arguments("profile", "edit", "x", "--param=a=b=c")?.all("param") == ["a=b=c"])
    }

    @Test func `two dashes end the flags`() throws {
        #expect(try arguments("callback", "--", "--json")?.operands == ["--json"])
    }

    @Test func `a single dash is an operand or a value`() throws {
        #expect(try arguments("callback", "-")?.operands == ["-"])
        #expect(try arguments("login", "--callback-url", "-")?.value("callback-url") == "-")
    }

    @Test func `an unknown flag is refused with a suggestion`() {
        #expect(message("token", "--fromat", "json")?.contains("Did you mean --format?") == true)
        #expect(message("--jsn", "list")?.contains("Did you mean --json?") == true)
    }

    @Test func `an unknown command is refused with a suggestion`() {
        #expect(message("logn")?.contains("Did you mean login?") == true)
        #expect(message("profile", "lst")?.contains("Did you mean profile list?") == true)
    }

    @Test(arguments: [
        ["exec", "work"], ["request", "GET", "https://a.example"], ["credential", "git"],
        ["agent", "run"], ["introspect"], ["revoke"],
        ["login", "--device"], ["profile", "add", "x", "--dpop"], ["profile", "add", "x", "--par", "auto"],
        ["profile", "add", "x", "--jar"], ["profile", "add", "x", "--register"],
        ["profile", "add", "x", "--device-authorization-endpoint", "https://a.example"],
        ["profile", "add", "x", "--client-auth", "private_key_jwt"], ["profile", "add", "x", "--provider", "kindly"],
    ])
    func `what a later version brings is refused until then`(_ words: [String]) {
        #expect(throws: UsageError.self) { try parser.parse(words) }
    }

    @Test func `a flag of another command is refused`() {
        #expect(message("status", "--min-ttl", "5") != nil)
        #expect(message("--min-ttl", "5", "status") != nil)
    }

    @Test func `a flag without its value is refused`() {
        #expect(message("token", "--format") != nil)
        #expect(message("token", "--audience", "--json")?.contains("--audience needs a value") == true)
    }

    @Test func `a value for a flag that takes none is refused`() {
        #expect(message("list", "--json=yes") != nil)
    }

    @Test func `only a repeatable flag may be given twice`() throws {
        #expect(message("token", "--format", "raw", "--format", "json") != nil)
        #expect(
            try arguments("profile", "edit", "x", "--redirect-uri", "a:/b", "--redirect-uri", "c:/d")?
                .all("redirect-uri") == ["a:/b", "c:/d"]
        )
    }

    @Test func `a word outside a flag's choice is refused`() {
        #expect(message("token", "--format", "jsn")?.contains("Did you mean json?") == true)
    }

    @Test func `too many and too few operands are refused`() {
        #expect(message("token", "work", "more") != nil)
        #expect(message("profile", "add") != nil)
        #expect(message("profile") != nil)
        #expect(message() != nil)
    }

    @Test func `help and version are requests, not commands`() throws {
        guard case .help(let words) = try parser.parse(["profile", "add", "--help"]) else {
            Issue.record("no help")
            return
        }
        #expect(words == ["profile", "add"])
        guard case .help(["login"]) = try parser.parse(["help", "login"]) else {
            Issue.record("no help by word")
            return
        }
        guard case .version = try parser.parse(["--version"]) else {
            Issue.record("no version")
            return
        }
    }

    @Test(arguments: ["-1", "1e3", "", "abc", "99999999999", "1 "])
    func `seconds are plain numbers`(_ text: String) throws {
        let parsed = try #require(try arguments("token", "--min-ttl=\(text)"))
        #expect(throws: UsageError.self) { try parsed.seconds("min-ttl") }
    }

    @Test func `seconds may have decimals`() throws {
        #expect(try arguments("token", "--min-ttl", "0.5")?.seconds("min-ttl") == .milliseconds(500))
    }
}
