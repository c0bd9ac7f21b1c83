extension SecretBytes {
    /// Copies some of the bytes; the range must lie within them.
    borrowing func part(_ range: Range<Int>) -> SecretBytes {
        unsafe withUnsafeBytes { bytes in
            unsafe SecretBytes.filled(upTo: range.count) { buffer in
                unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
                return range.count
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
