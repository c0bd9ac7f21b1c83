#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Puts the system's error numbers into words.
package enum SystemError: Sendable {
    /// The system's sentence for an error number; the number itself where it knows none.
    package static func text(_ number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        // The form that is safe between threads, in its POSIX variant: zero on success.
        let known = unsafe buffer.withUnsafeMutableBufferPointer { buffer -> String? in
            guard let start = buffer.baseAddress, unsafe strerror_r(number, start, buffer.count) == 0 else {
                return nil
            }
            return unsafe String(cString: start)
        }
        return known ?? "error \(number)"
    }

    /// The sentence for the error of the call that has just failed.
    package static var last: String { text(errno) }
}
