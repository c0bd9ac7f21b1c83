import AuthKitCore

extension JWTCases {
    /// Other implementations, each a process of its own, in turn with libcrypto's bare check in this one.
    func comparePeers(into report: inout Report) async throws {
        guard let folder = options.peerFolder else { return }
        let algorithms: [JWSAlgorithm] = [.hs256, .rs256, .es256, .edDSA]
        for algorithm in algorithms { try write(try token(algorithm), to: folder) }
        for peer in options.peers {
            for algorithm in algorithms where options.wants("peer.\(peer.name).\(algorithm)") {
                let name = "peer.\(peer.name).\(algorithm)"
                let process = try ChildProcess([peer.path, folder, algorithm.name], isAsked: true)
                defer { process.end() }
                // A peer that lacks the algorithm says so, and is left out.
                guard try process.ask("1") != "unsupported" else { continue }
                report.add(try await compare(name, process, with: try token(algorithm)))
            }
        }
    }

    private func compare(_ name: String, _ peer: ChildProcess, with token: SampleToken) async throws -> Measurement {
        let rounds = 41
        let raw = try raw(token)
        let rawCount = try await Stopwatch.fittingCount(raw)
        var count = 4
        while try peer.time(count) * Double(count) < 3_000_000 { count *= 2 }
        var (theirs, ours): ([Double], [Double]) = ([], [])
        for _ in 0..<rounds {
            theirs.append(try peer.time(count))
            ours.append(try await Stopwatch.time(rawCount, raw))
        }
        var measured = Measurement(name, rounds: theirs, iterations: rounds * count, note: "a process of its own")
        measured.baseline = Measurement.Baseline(
            name: token.algorithm.isSymmetric ? Self.rawCode : Self.rawVerify,
            median: ours.median,
            ratio: zip(theirs, ours).map { $0 / $1 }.median
        )
        return measured
    }

    private func write(_ token: SampleToken, to folder: String) throws {
        let path = "\(folder)/\(token.algorithm)"
        try TextFile.write(token.text, to: "\(path).jwt")
        if token.algorithm.isSymmetric {
            let members = try token.key.privateMembers()
            try TextFile.write(String(decoding: members.serialized(), as: UTF8.self), to: "\(path).jwk")
        } else {
            let members = token.key.publicKey.members
            try TextFile.write(String(decoding: members.serialized(), as: UTF8.self), to: "\(path).jwk")
            try TextFile.write(try token.key.publicKey.pem(), to: "\(path).pem")
        }
    }
}

extension ChildProcess {
    /// Lets a peer verify its token so many times; the time of one, in nanoseconds by its own clock.
    func time(_ count: Int) throws -> Double {
        let answer = try ask("\(count)")
        guard let total = Double(answer) else { throw BenchmarkError("A peer answered '\(answer)'.") }
        return total / Double(count)
    }
}
