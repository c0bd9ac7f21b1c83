#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Puts the system's error numbers into words.
enum SystemError {
    /// The system's sentence for an error number.
    static func text(_ number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        // The thread-safe form; a number that it does not know is named by the number.
        let known = unsafe buffer.withUnsafeMutableBufferPointer { buffer -> String? in
            guard let base = buffer.baseAddress, unsafe strerror_r(number, base, buffer.count) == 0 else { return nil }
            return unsafe String(cString: base)
        }
        return known ?? "error \(number)"
    }

    /// The sentence for the error of the call that has just failed.
    static var last: String { text(errno) }
}
