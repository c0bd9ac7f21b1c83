public import AuthKitCore
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The browser of `$BROWSER`, else that of the desktop.
public struct SystemBrowser: BrowserOpening {
    /// The programs tried on a desktop when `$BROWSER` names nothing.
    package static let desktopPrograms = ["xdg-open", "x-www-browser", "sensible-browser", "www-browser", "wslview"]

    /// The programs that a value of `$BROWSER` names, in order.
    package static func programs(of variable: String) -> [String] {
        BrowserCommand.list(variable).map(\.program)
    }

    private let environment: [String: String]
    private let time: any TimeSource

    /// How long a command may take to fail; one that still runs then, or ended well, has opened the page.
    private static let patience = Duration.seconds(2)

    /// Takes the environment that the browser is given: without what is secret.
    public init(environment: [String: String], time: any TimeSource = SystemTime()) {
        self.environment = environment
        self.time = time
    }

    /// Tries the commands in order until one starts and does not fail at once.
    ///
    /// Only `http` and `https` URLs are opened. The browser reads and writes nothing of ours and has a process group of
    /// its own, so that an interrupt at the terminal does not reach it.
    public func open(_ url: String) async -> Bool {
        guard WebURL(url) != nil else { return false }
        let named = BrowserCommand.list(environment["BROWSER"] ?? "")
        for command in named.isEmpty ? BrowserCommand.desktop : named {
            if Task.isCancelled { return false }
            guard let path = path(of: command.program),
                let process = ChildProcess.start(path, command.words(for: url), environment: environment)
            else { continue }
            let status = Latch<Int32>()
            // Waits as long as the browser lives, so that it leaves no zombie: on a thread of its own.
            DispatchQueue(label: "browser.wait").async { status.open(ChildProcess.wait(for: process) ?? 0) }
            if await status.wait(within: Self.patience, on: time) ?? 0 == 0 { return true }
        }
        return false
    }

    /// The program's path, looked up in the environment that it will get.
    private func path(of program: String) -> String? {
        if program.contains("/") { return unsafe access(program, X_OK) == 0 ? program : nil }
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.lazy.map { "\($0)/\(program)" }.first { unsafe access($0, X_OK) == 0 }
    }
}
