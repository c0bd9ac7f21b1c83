import AuthKitCore
import Testing

@Suite struct SecretBytesTests {
    private final class Witness: Sendable {
        let seen = Guarded<[UInt8]?>(nil)
    }

    @Test func `bytes are wiped before their memory is given back`() {
        let witness = Witness()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 16)
        unsafe buffer.copyBytes(from: [UInt8](repeating: 0xA5, count: 32))
        do {
            let secret = unsafe SecretBytes(owning: buffer) { memory in
                witness.seen.withLock { unsafe $0 = Array(memory) }
                unsafe memory.deallocate()
            }
            let first = unsafe secret.withUnsafeBytes { unsafe $0.first }
            #expect(first == 0xA5)
            #expect(witness.seen.withLock { $0 } == nil)
        }
        #expect(witness.seen.withLock { $0 } == [UInt8](repeating: 0, count: 32))
    }

    @Test func `the source of a wiping copy is emptied`() {
        var source: [UInt8] = [1, 2, 3]
        let secret = SecretBytes(wiping: &source)
        let bytes = unsafe secret.withUnsafeBytes { unsafe Array($0) }
        #expect(bytes == [1, 2, 3])
        #expect(source.isEmpty)
    }

    @Test func `wiping an array leaves its length and nothing else`() {
        var bytes: [UInt8] = [9, 9, 9]
        ConstantTime.wipe(&bytes)
        #expect(bytes == [0, 0, 0])
    }

    @Test func `values compare by their bytes`() {
        let one = SecretBytes(copying: [1, 2, 3])
        let same = one.isEqual(to: SecretBytes(copying: [1, 2, 3]))
        let other = one.isEqual(to: SecretBytes(copying: [1, 2, 4]))
        let longer = one.isEqual(to: SecretBytes(copying: [1, 2, 3, 4]))
        let empties = SecretBytes(copying: []).isEqual(to: SecretBytes(copying: []))
        #expect(same)
        #expect(!other)
        #expect(!longer)
        #expect(empties)
    }

    @Test func `a copy outlives the original`() {
        func twin() -> SecretBytes { SecretBytes(copying: [7, 8]).copy() }
        let copy = twin()
        let bytes = unsafe copy.withUnsafeBytes { unsafe Array($0) }
        #expect(bytes == [7, 8])
    }

    @Test func `random secrets have their length and differ`() throws {
        let one = try SecretBytes.random(count: 32)
        let two = try SecretBytes.random(count: 32)
        let count = one.count
        let areEqual = one.isEqual(to: two)
        #expect(count == 32)
        #expect(!areEqual)
    }

    @Test func `random bytes have their length, differ and refuse a negative count`() throws {
        #expect(try Random.bytes(16).count == 16)
        #expect(try Random.bytes(16) != Random.bytes(16))
        #expect(try Random.bytes(0).isEmpty)
        let error = #expect(throws: CryptoError.self) { try Random.bytes(-1) }
        #expect(error?.code == .invalidInput)
    }

    @Test func `constant-time comparison tells equal from different`() {
        #expect(ConstantTime.equal([1, 2], [1, 2]))
        #expect(!ConstantTime.equal([1, 2], [1, 3]))
        #expect(!ConstantTime.equal([1, 2], [1, 2, 0]))
        #expect(ConstantTime.equal([], []))
    }
}
