internal import AuthKitCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The process's standard input, read on a thread of its own; cancellation ends a wait.
actor StandardInput: LineInput, ByteSource {
    private let executor = BlockingExecutor(label: "authkit.input")

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func line(limit: Int) throws -> String {
        var bytes: [UInt8] = []
        while let byte = try next(1).first, byte != UInt8(ascii: "\n") {
            bytes.append(byte)
            guard bytes.count <= limit else { throw Self.tooLarge(limit) }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.badData, "malformed", "Standard input is not text in UTF-8; send it as such.")
        }
        return text
    }

    func everything(limit: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let chunk = try next(65_536)
            if chunk.isEmpty { return bytes }
            bytes += chunk
            guard bytes.count <= limit else { throw Self.tooLarge(limit) }
        }
    }

    nonisolated var pieces: any ByteSource { self }

    func piece(atMost count: Int) throws -> [UInt8] { try next(count) }

    private func next(_ count: Int) throws -> [UInt8] {
        try Descriptor.read(STDIN_FILENO, atMost: count, named: "Standard input")
    }

    private static func tooLarge(_ limit: Int) -> CommandFailure {
        CommandFailure(.badData, "too_large", "Standard input is larger than \(limit) bytes; send less.")
    }
}
