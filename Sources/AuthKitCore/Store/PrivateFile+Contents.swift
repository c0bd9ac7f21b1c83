#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

extension PrivateFile {
    /// How many bytes it has.
    package func size() throws(StoreError) -> Int { Int(try status().st_size) }

    /// Reads bytes from an offset on; fewer than asked for at the end of the file only.
    package func read(at offset: Int, count: Int) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let step = try transfer("read") {
                unsafe bytes.withUnsafeMutableBytes { buffer in
                    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                    return unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
                }
            }
            if step == 0 { break }
            filled += step
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Writes bytes from the start on and ends the file behind them; not durable until `sync`.
    package func replaceContents(with bytes: [UInt8]) throws(StoreError) {
        var written = 0
        while written < bytes.count {
            let step = try transfer("write") {
                unsafe bytes.withUnsafeBytes { buffer in
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                    return unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(written))
                }
            }
            // write(2) moves at least a byte of a regular file, or fails.
            guard step > 0 else { throw .system("write", path, EIO) }
            written += step
        }
        try resize(to: bytes.count)
    }

    /// Makes what was written durable.
    package func sync() throws(StoreError) {
        _ = try transfer("sync") { Int(fsync(descriptor)) }
    }

    /// Ends the file behind so many bytes.
    package func resize(to size: Int) throws(StoreError) {
        _ = try transfer("resize") { Int(ftruncate(descriptor, off_t(size))) }
    }

    /// Makes sure that the disk holds room for so many bytes of it; throws `full` and holds what it held otherwise.
    ///
    /// Where the file system has no such thing nothing happens: a promise of room cannot be kept there.
    package func allocate(upTo size: Int) throws(StoreError) {
        let held = try self.size()
        guard held < size else { return }
        for _ in 0..<Self.interruptionLimit {
            switch posix_fallocate(descriptor, 0, off_t(size)) {
            case 0: return
            case EINTR: continue
            case EOPNOTSUPP, EINVAL, ENODEV: return
            case let number:
                // Blocks that were got before the failure are given back.
                _ = ftruncate(descriptor, off_t(held))
                throw .system("reserve room in", path, number)
            }
        }
        throw .system("reserve room in", path, EINTR)
    }
}
