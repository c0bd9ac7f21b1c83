internal import AuthKitCore
internal import TransportCurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The `authkit` executable: hardens the process, runs the command, and waits for signals on the main thread.
@main
enum AuthkitCommand {
    static func main() {
        let weaknesses = Hardening.apply()
        guard let signals = SignalWatch.start() else { _exit(ExitCode.software.number) }
        let arguments = Array(CommandLine.arguments.dropFirst())
        let surroundings = Surroundings(
            environment: .ofProcess(),
            sink: DescriptorSink(),
            input: StandardInput(),
            time: SystemTime(),
            transport: { CurlTransport() },
            eraseArgument: ArgumentVector.erase
        )
        let ending = ProcessEnding(saveWindow: surroundings.saveWindow)
        // Not on the main actor: its thread waits for signals below.
        let command = Task { @concurrent in
            let exit = await CommandRunner().run(arguments, in: surroundings, weaknesses: weaknesses)
            await ending.commandEnded(exit)
        }
        // Only the first signal counts: a second does not shorten the save that the first one waits for.
        let number = signals.next()
        Task { @concurrent in await ending.signalCame(number, command: command) }
        while true { _ = signals.next() }
    }
}
