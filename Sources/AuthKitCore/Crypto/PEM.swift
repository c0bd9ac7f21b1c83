import COpenSSL

/// One block of PEM text (RFC 7468): its label and its bytes.
struct PEM {
    let label: String
    var bytes: [UInt8]

    /// Reads the only block of a text; parameters of a curve and words before it are passed over, nothing may follow.
    static func read(_ text: [UInt8]) throws(CryptoError) -> PEM {
        guard text.count <= EVPKey.encodedLimit else {
            throw CryptoError(.limitExceeded, "The PEM text is larger than \(EVPKey.encodedLimit) bytes.")
        }
        var blocks = try blocks(of: text)
        // RFC 5915 §4: what `openssl ecparam -genkey` writes before the key repeats what is in it.
        blocks.removeAll { $0.label == "EC PARAMETERS" }
        guard let block = blocks.first, blocks.count == 1 else {
            throw CryptoError(.invalidInput, "The PEM text must hold exactly one key.")
        }
        return block
    }

    /// Writes a block, 64 characters a line.
    static func write(_ label: String, _ bytes: [UInt8]) throws(CryptoError) -> String {
        guard let sink = unsafe BIO_new(BIO_s_secmem()) else { throw .drain("BIO_new") }
        defer { unsafe BIO_free_all(sink) }
        guard unsafe PEM_write_bio(sink, label, "", bytes, bytes.count) > 0 else { throw .drain("PEM_write_bio") }
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe ak_bio_memory(sink, &start)
        guard count > 0, let start = unsafe start else { throw .drain("BIO_get_mem_data") }
        return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private static func blocks(of text: [UInt8]) throws(CryptoError) -> [PEM] {
        guard let source = unsafe BIO_new_mem_buf(text, Int32(text.count)) else { throw .drain("BIO_new_mem_buf") }
        defer { unsafe BIO_free_all(source) }
        var blocks: [PEM] = []
        while true {
            var (label, header): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?)
            var bytes: UnsafeMutablePointer<UInt8>?
            var count = 0
            guard unsafe PEM_read_bio(source, &label, &header, &bytes, &count) == 1 else {
                CryptoError.discardQueue()
                guard blocks.isEmpty else {
                    throw CryptoError(.invalidInput, "The PEM text must hold exactly one key, and nothing after it.")
                }
                throw fault(in: String(decoding: text, as: UTF8.self))
            }
            defer {
                unsafe CRYPTO_free(label, nil, 0)
                unsafe CRYPTO_free(header, nil, 0)
                unsafe CRYPTO_clear_free(bytes, count, nil, 0)
            }
            guard let label = unsafe label, let start = unsafe bytes else { throw .drain("PEM_read_bio") }
            // RFC 1421 §4.6.1.1: a header says that the bytes are encrypted.
            let isPlain = unsafe header.map { unsafe $0.pointee == 0 } ?? true
            let name = unsafe String(cString: label)
            guard isPlain, name != "ENCRYPTED PRIVATE KEY" else {
                throw CryptoError(.invalidInput, "The private key is encrypted: decrypt it first ('openssl pkey').")
            }
            unsafe blocks.append(PEM(label: name, bytes: Array(UnsafeBufferPointer(start: start, count: count))))
            if unsafe isSpent(source) { return blocks }
        }
    }

    /// Says what is wrong with a text that has no block which can be read.
    private static func fault(in text: String) -> CryptoError {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingSpaces() }
        let sentence: String
        if let start = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN ") && $0.hasSuffix("-----") }) {
            let end = lines[start...].first { $0.hasPrefix("-----END ") }
            switch end {
            case nil: sentence = "The PEM text has no END line, so it is cut off; copy the whole of it."
            case "-----END " + lines[start].dropFirst("-----BEGIN ".count):
                sentence = "What stands between the PEM text's BEGIN and END is not base64; copy the whole of it again."
            default: sentence = "The PEM text's END line does not belong to its BEGIN line; copy the whole of it again."
            }
        } else {
            sentence = "The PEM text has no BEGIN line, so it is cut off or none; copy the whole of it."
        }
        return CryptoError(.invalidInput, sentence)
    }

    /// Whether nothing but white space is left to read.
    private static func isSpent(_ source: OpaquePointer) -> Bool {
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe ak_bio_memory(source, &start)
        guard count > 0, let start = unsafe start else { return true }
        return unsafe UnsafeRawBufferPointer(start: start, count: count).allSatisfy {
            $0 == 0x20 || (0x09...0x0D).contains($0)
        }
    }
}
