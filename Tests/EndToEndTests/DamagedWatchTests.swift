import Foundation
import ImgScript
import TestSupport
import Testing

/// Whatever happens to the file of a watch, it follows the query that was added, or none.
struct DamagedWatchTests {
    private let folder = TemporaryFolder()
    private let watch = Watch(
        name: "foxes", arguments: ["foxes", "--", "search", "-p", "openverse", "red fox"], workingFolder: "/srv/images")

    private var store: WatchStore {
        var configuration = ImageEngine.Configuration()
        configuration.configurationFolder = folder.path
        return WatchStore(configuration)
    }

    @Test func damagedWatchIsRefused() throws {
        var watch = watch
        watch.begin(at: 1_700_000_000)
        watch.end(
            .init(started: 1_700_000_000, new: 12, failed: 3, isComplete: true),
            watch.reading(of: ["openverse"], limit: 20),
            isListed: true)
        try store.save(watch)
        let path = "\(store.folder)/foxes.json"
        let whole = FolderListing.bytes(of: path)
        var generator = SeededGenerator(seed: 3)
        var refused = 0
        for round in 0..<Damage.rounds {
            try Data(Damage.change(whole, using: &generator)).write(to: URL(filePath: path))
            do { #expect(try store.watch(named: "foxes") == watch, "round \(round)") } catch { refused += 1 }
        }
        // What is left is white space.
        #expect(refused > Damage.rounds / 2)
    }

    @Test func damagedAnnouncementIsNotPosted() throws {
        try store.save(watch)
        let json = #"{"provider":"foxes","id":"1","title":"A red fox","path":"/srv/images/foxes/1.jpg"}"#
        let image = try JSONDecoder().decode(WatchAnnouncement.Image.self, from: Data(json.utf8))
        for _ in 0..<3 { try store.note(image, of: "foxes") }
        let path = "\(store.folder)/foxes.new"
        let whole = FolderListing.bytes(of: path)
        var found = store.unannounced(of: "foxes")
        #expect(found.images == [image, image, image] && found.damaged == 0)
        let changed = String(decoding: whole, as: UTF8.self).replacingOccurrences(of: "A red fox", with: "A bad fox")
        try Data(changed.utf8).write(to: URL(filePath: path))
        found = store.unannounced(of: "foxes")
        #expect(found.images.isEmpty && found.damaged == 3)
        var generator = SeededGenerator(seed: 4)
        for round in 0..<Damage.rounds {
            try Data(Damage.change(whole, using: &generator)).write(to: URL(filePath: path))
            #expect(store.unannounced(of: "foxes").images.allSatisfy { $0 == image }, "round \(round)")
        }
    }
}
