import AuthKitCore
import Testing

@testable import LoopbackHTTP

/// Which answer is the one that is waited for, whatever comes in between.
@Suite struct RedirectGateTests {
    @Test func `of two answers that are looked at together one is accepted`() {
        let gate = RedirectGate()
        let second = Guarded<RedirectGate.Verdict?>(nil)
        let isFirst = Guarded(true)
        let opened = gate.open { _ in
            // While the first is looked at the second one comes in and is done with.
            if isFirst.withLock({ value in
                defer { value = false }
                return value
            }) {
                let verdict = gate.offer(RedirectAnswer(parameters: [("code", "c2")]))
                second.withLock { $0 = verdict }
            }
            return true
        }
        guard case .taken = gate.offer(RedirectAnswer(parameters: [("code", "c1")])),
            case .accepted = second.withLock({ $0 })
        else {
            Issue.record("Not the one that was done with first is accepted.")
            return
        }
        #expect(opened?.value?.single("code") == "c2")
    }

    @Test func `after the end an answer is told that it is over`() {
        let gate = RedirectGate()
        guard case .refused = gate.offer(RedirectAnswer(parameters: [])) else {
            Issue.record("An answer before the wait is not refused.")
            return
        }
        let wait = gate.open { _ in true }
        #expect(wait != nil)
        gate.close(.signedIn(account: nil))
        guard case .over = gate.offer(RedirectAnswer(parameters: [])) else {
            Issue.record("An answer after the end is not told so.")
            return
        }
        #expect(wait?.value == nil)
    }

    @Test func `an answer that is looked at while the wait begins again is not the new wait's`() {
        let gate = RedirectGate()
        let isFirst = Guarded(true)
        let again = Guarded<Latch<RedirectAnswer>?>(nil)
        _ = gate.open { _ in
            // While this one is looked at, another is accepted and refused after all.
            if isFirst.withLock({ value in
                defer { value = false }
                return value
            }) {
                _ = gate.offer(RedirectAnswer(parameters: [("code", "c2")]))
                let next = gate.reopen(refusing: .failed(message: "A stranger's.")) { _ in false }
                again.withLock { $0 = next }
            }
            return true
        }
        guard case .taken = gate.offer(RedirectAnswer(parameters: [("code", "c1")])) else {
            Issue.record("It was accepted by a rule that holds no longer.")
            return
        }
        #expect(again.withLock { $0 != nil && $0?.value == nil })
    }
}
