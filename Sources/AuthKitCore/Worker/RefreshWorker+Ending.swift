/// The end of a run.
extension RefreshWorker {
    /// How long answers that are not stored are waited for: as long as a command does that ends.
    private static let savePatience = Duration.seconds(15)

    /// Gives back what was not begun, waits for what was, and for its answers to be stored.
    func windUp() async {
        giveBack(queue.takeOut { _ in true })
        giveBack(heldBack.map { ($0.key, $0.version) })
        heldBack = []
        let deadline = Deadline(Self.savePatience, from: time.now)
        while true {
            giveUpLate(isEnding: true)
            if deadline.hasPassed(at: time.now) { returning = [] }  // The store is away: they lapse.
            let isGivingBack = isReturning && !deadline.hasPassed(at: time.now)
            guard queue.running > 0 || isGivingBack else { break }
            var length = waitForLimit(isEnding: true) ?? Self.savePatience
            if isGivingBack { length = min(length, deadline.remaining(at: time.now)) }
            await rest(length)
        }
        await waitForSaves()
    }

    /// Waits until nothing is on the wire and every answer is stored, so long at most.
    private func waitForSaves() async {
        let window = saveWindow
        guard hasOwnWindow else { return await waitForOthers(window) }
        // What hangs in a provider can send nothing more from here on; a later run has a window that is open.
        saveWindow = SaveWindow()
        _ = await window.drain(within: Self.savePatience, time: time)
    }

    /// Waits for a window that others use as well, and goes on with.
    private func waitForOthers(_ window: SaveWindow) async {
        let deadline = Deadline(Self.savePatience, from: time.now)
        while !window.isIdle, !deadline.hasPassed(at: time.now) {
            guard (try? await time.sleep(for: .milliseconds(10))) != nil else { return }
        }
    }
}
