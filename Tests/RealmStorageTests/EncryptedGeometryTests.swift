import Expectations
import RealmStorage
import Testing

/// The positions of pages in an encrypted file.
@Suite struct EncryptedGeometryTests {
    /// Returns the size of the data as computed by Realm Core: everything but one page of 65, rounded up.
    private func dataSize(_ fileSize: Int) -> Int { fileSize - (fileSize / 4096 + 64) / 65 * 4096 }

    @Test func `sizes of encrypted files match their data`() {
        let block = 65 * 4096
        for blocks in 0...3 {
            for pages in 0...65 {
                for stray in [0, 1, 8, 4095] {
                    let size = blocks * block + pages * 4096 + stray
                    let geometry = PageGeometry(fileSize: size)
                    expectEqual(geometry.strayBytes, stray)
                    // Less than two pages, and the bytes of an incomplete page, contain no data.
                    let expected = size < 8192 ? 0 : dataSize(size) / 4096 * 4096
                    expectEqual(geometry.dataSize, expected, "\(size)")
                    expectEqual(geometry.dataSize, geometry.pageCount * 4096)
                    if geometry.pageCount > 0 {
                        expect(PageGeometry.offset(ofPage: geometry.pageCount - 1) + 4096 <= size)
                    }
                    expect(PageGeometry.offset(ofPage: geometry.pageCount) + 4096 > size)
                }
            }
        }
    }

    /// Pages and tables fill the file without gaps and overlaps.
    @Test func `pages and tables fill the file without gaps`() {
        var users = [Int](repeating: 0, count: 3 * 65)
        for page in 0..<192 {
            users[PageGeometry.offset(ofPage: page) / 4096] += 1
            expectEqual(PageGeometry.offset(ofPage: page) % 4096, 0)
            let entry = PageGeometry.offset(ofEntryOfPage: page)
            expectEqual(entry / 4096, page / 64 * 65)
            expectEqual(entry % 4096, page % 64 * 64)
            expectEqual(PageGeometry.page(ofData: page * 4096), page)
            expectEqual(PageGeometry.page(ofData: page * 4096 + 4095), page)
        }
        for (index, count) in users.enumerated() { expectEqual(count, (index % 65 == 0 ? 0 : 1)) }
    }

    @Test func `boundaries of pages are correct`() {
        expectEqual(PageGeometry.offset(ofPage: 0), 4096)
        expectEqual(PageGeometry.offset(ofPage: 63), 64 * 4096)
        expectEqual(PageGeometry.offset(ofPage: 64), 66 * 4096)
        expectEqual(PageGeometry.offset(ofEntryOfPage: 63), 63 * 64)
        expectEqual(PageGeometry.offset(ofEntryOfPage: 64), 266_240)
        // The largest file observed so far, and one at the maximum offset.
        expectEqual(PageGeometry(fileSize: 5_328_896).dataSize, 5_242_880)
        expect(PageGeometry(fileSize: .max).dataSize > .max / 66 * 64)
    }
}
