extension SecretBytes {
    /// Copies some of the bytes; the range must lie within them.
    package borrowing func part(_ range: Range<Int>) -> SecretBytes {
        unsafe withUnsafeBytes { bytes in
            unsafe SecretBytes.filled(upTo: range.count) { buffer in
                unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
                return range.count
            }
        }
    }

    /// These bytes and then others, in memory of its own.
    borrowing func joined(with other: borrowing SecretBytes) -> SecretBytes {
        unsafe withUnsafeBytes { front in
            unsafe other.withUnsafeBytes { back in
                unsafe SecretBytes.filled(upTo: front.count + back.count) { buffer in
                    unsafe buffer.copyMemory(from: front)
                    unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[front.count...]).copyMemory(from: back)
                    return front.count + back.count
                }
            }
        }
    }

    /// Whether every byte is zero; takes the same time whichever is not.
    var isZero: Bool {
        unsafe withUnsafeBytes { bytes in
            var sum: UInt8 = 0
            for index in bytes.indices { unsafe sum |= bytes[index] }
            return sum == 0
        }
    }
}
