import Testing

@testable import Downloads

@Suite struct WaitingRecordsTests {
    private func record(_ key: String, at path: String) -> ArchiveRecord {
        ArchiveRecord(
            key: MediaKey(stored: key), url: "https://a.example/\(path)", hash: ContentHash(xxh128: []), bytes: 1,
            time: 1,
            path: path)
    }

    private func path(of key: String, in records: inout WaitingRecords) -> String? {
        let path = records.path(of: MediaKey(stored: key))
        #expect(records[MediaKey(stored: key)]?.path == path)
        return path
    }

    @Test func recordThatCameLaterCounts() {
        var records = WaitingRecords()
        #expect(path(of: "a", in: &records) == nil)
        records.add(record("a", at: "a.jpg"))
        records.add(record("b", at: "b.jpg"))
        #expect(path(of: "a", in: &records) == "a.jpg")
        // What comes after somebody has asked is found as well.
        records.add(record("a", at: "a2.jpg"))
        records.add(record("c", at: "c.jpg"))
        #expect(path(of: "a", in: &records) == "a2.jpg")
        #expect(path(of: "c", in: &records) == "c.jpg")
        #expect(records.list.map(\.path) == ["a.jpg", "b.jpg", "a2.jpg", "c.jpg"])
    }

    @Test func recordsThatCouldNotBeWrittenAreOlderThanTheOthers() {
        var records = WaitingRecords()
        records.add(record("a", at: "new.jpg"))
        #expect(path(of: "a", in: &records) == "new.jpg")
        records.add(older: [record("b", at: "b.jpg"), record("a", at: "old.jpg")])
        #expect(path(of: "a", in: &records) == "new.jpg")
        #expect(path(of: "b", in: &records) == "b.jpg")
        records.removeAll()
        #expect(records.isEmpty)
        #expect(path(of: "a", in: &records) == nil)
        records.add(record("b", at: "b.jpg"))
        #expect(path(of: "a", in: &records) == nil)
        #expect(path(of: "b", in: &records) == "b.jpg")
    }
}
