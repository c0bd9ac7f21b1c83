import AuthKitCore
import Testing

@Suite struct ConstantTimeTests {
    private func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        ConstantTime.equal(left.span, right.span)
    }

    @Test(arguments: 0...65)
    func `bytes are equal to themselves and to no other`(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
        #expect(equal(bytes, Array(bytes)))
        for bit in 0..<count * 8 {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!equal(bytes, changed))
            #expect(!equal(changed, bytes))
        }
        #expect(!equal(bytes, bytes + [0]))
        #expect(!equal([0] + bytes, bytes))
    }
}
