#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The process's argument vector as other processes see it.
enum ArgumentVector {
    /// Overwrites every argument that is a text, so that /proc and ps show it no more.
    static func erase(_ text: String) {
        let vector = unsafe CommandLine.unsafeArgv
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = unsafe vector[index], unsafe String(cString: argument) == text else { continue }
            // The C library may have been handed the same bytes; nobody reads them again.
            unsafe memset(argument, Int32(UInt8(ascii: "x")), strlen(argument))
        }
    }
}
