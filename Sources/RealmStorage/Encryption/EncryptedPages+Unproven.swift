package import RealmLayout

// Recovery of pages that fail authentication (Spec 130).
extension EncryptedPages {
    /// The highest plausible counter for a page whose entry is lost: a page is written at most once per commit.
    private static let highestCounter: UInt32 = 1 << 20
    /// How far from a page to look for another one with a counter.
    private static let reach = 1024

    /// The pages with encrypted bytes that are absent once all authentic pages are present: those that fail their
    /// authentication, and those whose entry is lost. Ascending.
    package var withoutProof: [Int] {
        (0..<file.geometry.pageCount).filter { !memory.word($0).isPresent && !file.encrypted($0).isZero }
    }

    /// Makes pages present that fail authentication. They are decrypted with the most likely counter; a wrong one
    /// garbles the first four bytes of a page.
    ///
    /// - Precondition: they are `withoutProof`, and nobody else uses the pages yet.
    /// - Throws: `encrypted` if libcrypto has no memory.
    package func bringUnproven(_ pages: [Int]) throws(FormatError) {
        // 0 where unknown.
        var counters = (0..<file.geometry.pageCount).map { memory.word($0).isPresent ? file.counters($0).last : 0 }
        try withCipher { cipher throws(FormatError) in
            for index in pages {
                _ = cipher.copy(entry: file.entry(index), page: file.encrypted(index))
                let page = memory.page(index)
                try decryptCopy(of: index, to: page, counter: 0, cipher)
                counters[index] = likelyCounter(ofPage: index, start: page.start32)
            }
        }
        let known = counters
        for index in pages {
            let page = memory.page(index)
            let counter = known[index] != 0 ? known[index] : Self.nearest(to: index, in: known)
            // The counter is the first number of the initialisation vector, which is combined with the first block.
            page.start32 ^= counter
            present(index, pins: true)
        }
    }

    /// The likely counter of a page, from its entry and its first bytes; 0 if they do not determine it.
    ///
    /// - Parameter start: the first four bytes, decrypted with counter 0.
    private func likelyCounter(ofPage index: Int, start: UInt32) -> UInt32 {
        // The counter, if the page begins with a node.
        let ofNode = start ^ NodeHeader.dummyChecksum
        let (last, before) = file.counters(index)
        guard last != 0, EncryptedFile.canFollow(last, before) else {
            return ofNode <= Self.highestCounter ? ofNode : 0
        }
        return [before, last &+ 1].contains(ofNode) && ofNode != 0 ? ofNode : last
    }

    /// The counter of the nearest page that has one.
    private static func nearest(to index: Int, in counters: [UInt32]) -> UInt32 {
        for distance in 1..<Self.reach {
            for other in [index - distance, index + distance] where counters.indices.contains(other) {
                if counters[other] != 0 { return counters[other] }
            }
        }
        return 1
    }
}

extension PageMemory.Page {
    /// The first four bytes.
    fileprivate var start32: UInt32 {
        get { unsafe UInt32(littleEndian: start.load(as: UInt32.self)) }
        nonmutating set { unsafe start.storeBytes(of: newValue.littleEndian, as: UInt32.self) }
    }
}
