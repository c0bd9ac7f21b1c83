extension Vault {
    /// Writes all credentials and tombstones into one new file, 0600, that a passphrase opens (scrypt, AES-256-GCM).
    ///
    /// Streamed, one credential at a time, and durable on return; a file that is there already is refused, and one that
    /// was not finished is removed. No change of keys runs meanwhile; sessions go on, so that a token which works once
    /// may be spent by the time it is imported: an export is for another store to take over from, or to come back to,
    /// not to be used beside this one. Records that do not open are left out and told. `progress` is given the number
    /// written so far.
    public func export(
        to path: String,
        passphrase: borrowing SecretBytes,
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> ExportReport {
        try await export(to: path, passphrase: passphrase, insecureCost: .standard, progress: progress)
    }

    /// Takes a cost of the caller's, for tests that make many files.
    package func export(
        to path: String,
        passphrase: borrowing SecretBytes,
        insecureCost cost: ScryptCost,
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> ExportReport {
        let sealing = try ExportSealing.make(passphrase, cost: cost)
        let file = try ExportFile.create(path)
        do {
            let report = try await withMaintenance { lease in
                try await self.write(into: file, sealing, under: lease, progress: progress)
            }
            try await file.finish()
            return report
        } catch {
            await file.discard()
            throw error
        }
    }

    /// Reads an export into this store: credentials that are here already are kept, tombstones too, unless told to
    /// replace them.
    ///
    /// The whole file is read and checked before anything is written, so that one that was cut short or changed imports
    /// nothing; the error is `export_damaged`, or `wrong_key` for another passphrase. May be repeated: what came with an
    /// earlier run is kept. `progress` is given the number read so far.
    public func importCredentials(
        from path: String,
        passphrase: borrowing SecretBytes,
        replacing: Bool = false,
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> ImportReport {
        let file = try ExportFile.open(path)
        guard let head = try await file.read(ExportSealing.headCount) else { throw ExportSealing.damaged(path) }
        let sealing = try ExportSealing.read(head, passphrase, named: path)
        try await Self.read(file, sealing) { _ in }
        try await file.rewind()
        _ = try await file.read(ExportSealing.headCount)
        return try await withMaintenance { lease in
            var report = ImportReport()
            try await Self.read(file, sealing) { record in
                if report.total % Self.pageSize == 0 { try await lease.extend() }
                try await self.take(record, replacing: replacing, into: &report)
                progress(report.total)
            }
            return report
        }
    }

    private func write(
        into file: ExportFile,
        _ sealing: ExportSealing,
        under lease: any StoreLease,
        progress: @Sendable (Int) -> Void
    ) async throws -> ExportReport {
        try await file.write(sealing.head)
        try await file.write(try sealing.check())
        var number: UInt64 = 0
        let damaged = try await forEachRecord(under: lease) { record in
            number += 1
            let entry = ExportedRecord(record.credential, due: record.due)
            try await file.write(try sealing.chunk(.record, number: number, entry.serialized()))
            progress(Int(number))
        }
        try await file.write(try sealing.chunk(.end, number: number + 1, number.bigEndianBytes))
        return ExportReport(exported: Int(number), damaged: damaged)
    }

    /// Reads all chunks behind the head in order; throws unless the last one is the end and nothing follows it.
    private static func read(
        _ file: ExportFile,
        _ sealing: ExportSealing,
        _ body: (ExportedRecord) async throws -> Void
    ) async throws {
        let damaged = ExportSealing.damaged(file.path)
        var number: UInt64 = 0
        while true {
            try Task.checkCancellation()
            guard let head = try await file.read(ExportSealing.chunkHeadCount),
                let kind = ExportSealing.Kind(rawValue: head[0])
            else { throw damaged }
            let count = Int(UInt64(bigEndian: head[1...]))
            guard count <= ExportSealing.chunkLimit, let sealed = try await file.read(count) else { throw damaged }
            switch kind {
            case .check:
                guard number == 0 else { throw damaged }
                try sealing.require(check: sealed, named: file.path)
            case .record:
                guard number > 0 else { throw damaged }
                let bytes = try sealing.open(sealed, as: .record, number: number, named: file.path)
                guard let record = try? ExportedRecord(parsing: bytes) else { throw damaged }
                try await body(record)
            case .end:
                guard number > 0 else { throw damaged }
                let bytes = try sealing.open(sealed, as: .end, number: number, named: file.path)
                guard UInt64(bigEndian: bytes) == number - 1, try await file.isAtEnd() else { throw damaged }
                return
            }
            number += 1
        }
    }

    private func take(_ record: ExportedRecord, replacing: Bool, into report: inout ImportReport) async throws {
        var credential = record.credential
        for _ in 0..<Self.takeLimit {
            let found = try await find(credential.id)
            if let found {
                let held = try? found.opened(as: credential.id).credential
                guard replacing, held != record.credential else {
                    report.kept += 1
                    return
                }
                // A life of its own: whatever goes on over what is replaced changes nothing.
                credential.incarnation = try .draw()
            }
            do {
                try await save(credential, replacing: found?.record.version, due: record.due)
                if found == nil { report.added += 1 } else { report.replaced += 1 }
                return
            } catch let error as StoreError where error.code == .conflict {
                continue
            }
        }
        throw StoreError(.busy, "The record of \(credential.id.slot) changes all the time; try again.")
    }

    /// How often a record that changes meanwhile is looked at again.
    static let takeLimit = 8
}
