import AuthKitTesting
import Glibc
import Testing

@testable import LoopbackHTTP

@Suite(.timeLimit(.minutes(1))) struct SystemBrowserTests {
    private let url = "https://issuer.example/authorize?a=b%20c&d=$(e)"

    @Test func `the URL is the last argument, or stands where the command says`() async throws {
        let folder = try ScriptFolder()
        let script = try folder.script("first", "printf '%s|' \"$@\" > \(folder.path)/out")
        #expect(await browser(["BROWSER": "\(script) --new"], folder).open(url))
        #expect(folder.read("out") == "--new|\(url)|")
        #expect(await browser(["BROWSER": "\(script) --at=%s --100%%"], folder).open(url))
        #expect(folder.read("out") == "--at=\(url)|--100%|")
    }

    @Test func `commands are tried in order until one does not fail`() async throws {
        let folder = try ScriptFolder()
        let failing = try folder.script("failing", "exit 3")
        let good = try folder.script("good", "printf %s \"$1\" > \(folder.path)/out")
        #expect(await browser(["BROWSER": "/nowhere/browser:\(failing):\(good)"], folder).open(url))
        #expect(folder.read("out") == url)
        #expect(await browser(["BROWSER": "/nowhere/browser:\(failing)"], folder).open(url) == false)
    }

    @Test func `without a named one the desktop's is looked up in the given path`() async throws {
        let folder = try ScriptFolder()
        #expect(await browser(["PATH": folder.path], folder).open(url) == false)
        _ = try folder.script("x-www-browser", "printf %s \"$1\" > \(folder.path)/out")
        #expect(await browser(["PATH": "/nowhere:\(folder.path)"], folder).open(url))
        #expect(folder.read("out") == url)
    }

    @Test func `it gets the given environment without the dropped names, no streams and a group of its own`()
        async throws
    {
        let folder = try ScriptFolder()
        let script = try folder.script(
            "first",
            """
            links=$(readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2)
            group=$(cut -d' ' -f5 /proc/$$/stat)
            [ "$group" = "$$" ] && group=own
            printf '%s\\n' "home=$HOME name=$NAME" "$links" "$group" > \(folder.path)/out
            """
        )
        let environment = ["BROWSER": script, "NAME": "n", "PATH": "/usr/bin:/bin"]
        #expect(await SystemBrowser(environment: environment, time: ManualTime()).open(url))
        #expect(folder.read("out") == "home= name=n\n/dev/null\n/dev/null\n/dev/null\nown\n")
    }

    @Test func `a browser that goes on running counts as opened`() async throws {
        let folder = try ScriptFolder()
        let script = try folder.script("first", "echo $$ > \(folder.path)/pid; exec sleep 30")
        let time = ManualTime()
        let browser = SystemBrowser(environment: ["BROWSER": script, "PATH": "/usr/bin:/bin"], time: time)
        async let opened = browser.open(url)
        await time.waitForSleepers(1)
        time.advance(by: .seconds(2))
        #expect(await opened)
        if let pid = pid_t(folder.read("pid").trimmingNewline()) { kill(pid, SIGKILL) }
    }

    @Test(arguments: ["--help", "file:///etc/passwd", "javascript:alert(1)", "", "https://a b/"])
    func `what is no web address is not opened`(_ address: String) async throws {
        let folder = try ScriptFolder()
        let script = try folder.script("first", "echo called > \(folder.path)/out")
        #expect(await browser(["BROWSER": script], folder).open(address) == false)
        #expect(folder.read("out").isEmpty)
    }

    private func browser(_ environment: [String: String], _ folder: ScriptFolder) -> SystemBrowser {
        SystemBrowser(environment: environment, time: ManualTime())
    }
}

/// A folder of scripts, removed at the end.
private final class ScriptFolder: Sendable {
    struct Failure: Error {}
    let path: String

    init() throws {
        var template = Array("/tmp/loopback-browser-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Failure() }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in ["first", "failing", "good", "x-www-browser", "out", "pid"] { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    func script(_ name: String, _ text: String) throws -> String {
        let descriptor = unsafe open("\(path)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o700)
        guard descriptor >= 0 else { throw Failure() }
        defer { close(descriptor) }
        let bytes = Array("#!/bin/sh\n\(text)\n".utf8)
        guard unsafe write(descriptor, bytes, bytes.count) == bytes.count else { throw Failure() }
        return "\(path)/\(name)"
    }

    func read(_ name: String) -> String {
        let descriptor = unsafe open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

extension String {
    fileprivate func trimmingNewline() -> String { String(prefix { $0 != "\n" }) }
}
