import ProviderModel
import Testing

@testable import Downloads

@Suite struct FileSelectionTests {
    /// A post of three files: two images and a film with a still.
    private var post: Item {
        var post = Item.invented(id: "7")
        post.title = nil
        post.media = [
            ("1.png", .original), ("1s.png", .small), ("2.jpg", .original), ("3.mp4", .original), ("3.jpg", .small),
        ]
        .map { name, role in
            var media = Media(role: role, url: try! WebURL("https://files.example/\(name)"))
            media.file = Int(name.prefix(1))
            return media
        }
        return post
    }

    private func paths(_ template: String, _ selection: FileSelection = FileSelection()) throws -> [String] {
        let template = try NameTemplate(template)
        return try DownloadRequest.requests(for: post, selection, from: .bareURLs, index: 1).map {
            template.plan($0).path
        }
    }

    @Test func filesHaveKeysAndNamesOfTheirOwn() throws {
        let requests = try DownloadRequest.requests(for: post, from: .bareURLs, index: 1)
        let item = "\(post.provider):7"
        #expect(requests.map(\.key.description) == ["\(item):original.1", "\(item):original.2"])
        #expect(Set(requests.map(\.key.itemReference)) == [item])
        #expect(try paths("{id}-{title}") == ["7-01.png", "7-02.jpg"])
        #expect(try paths("{id}/{file:02}") == ["7/01.png", "7/02.jpg"])
    }

    @Test func otherKindsAreThereWhereTheyAreAskedFor() throws {
        #expect(try paths("{id}", FileSelection(of: [.image, .video])) == ["7-01.png", "7-02.jpg", "7-03.mp4"])
        #expect(try paths("{id}", FileSelection(of: [.video])) == ["7-03.mp4"])
        #expect(try paths("{id}", FileSelection(.role(.small), of: [.image])) == ["7-01.png", "7-02.jpg"])
        let error = #expect(throws: DownloadError.self) { try paths("{id}", FileSelection(of: [.audio])) }
        #expect(error?.code == .mediaKind)
        #expect(error?.message.hasSuffix("is of the kind image (expected audio)") == true)
    }

    @Test func singleFileKeepsItsKeyAndName() throws {
        var item = Item.invented(id: "8")
        item.media = [.invented(.original)]
        let request = try DownloadRequest.requests(for: item, from: .bareURLs, index: 1)[0]
        #expect(request.key.description == "\(item.provider):8:original")
        #expect(try NameTemplate("{id}").plan(request).path == "8.jpg")
    }

    struct OtherFile: Sendable {
        let kind: Media.Kind
        let bytes: [UInt8]
        let kinds: Set<Media.Kind>
        let format: MediaFormat
    }

    /// The end of a ZIP archive follows its first entry.
    static let archive: [UInt8] = [0x50, 0x4b, 3, 4] + [UInt8](repeating: 0, count: 20) + [0x50, 0x4b, 5, 6]
    /// A brand, an empty table of contents, and two bytes.
    static let film: [UInt8] =
        [0, 0, 0, 12] + Array("ftypisom".utf8) + [0, 0, 0, 8] + Array("moov".utf8) + [0, 0, 0, 10]
        + Array("mdat".utf8) + [1, 2]
    static let matroska: [UInt8] = [0x1a, 0x45, 0xdf, 0xa3, 0x42, 0x82, 0x84]

    @Test(arguments: [
        OtherFile(kind: .video, bytes: film, kinds: [.video], format: .mp4),
        OtherFile(kind: .animation, bytes: archive, kinds: Media.pictures, format: .zip),
        OtherFile(kind: .video, bytes: matroska + "webm".utf8, kinds: [.video], format: .webm),
        OtherFile(kind: .audio, bytes: [0x66, 0x4c, 0x61, 0x43, 0, 0], kinds: [.audio], format: .flac),
    ])
    func otherKindsAreChecked(_ file: OtherFile) throws {
        var media = Media.invented()
        media.type = file.kind
        let content = BytesContent(file.bytes)
        #expect(try ImageCheck(content, of: media, kinds: file.kinds).format == file.format)
        let error = #expect(throws: DownloadError.self) { try ImageCheck(content, of: .invented()) }
        #expect(error?.code == (file.format == .zip ? .content : .mediaKind), "\(String(describing: error))")
    }

    @Test func archiveThatIsCutIsDamaged() throws {
        var media = Media.invented()
        media.type = .animation
        let error = #expect(throws: DownloadError.self) {
            try ImageCheck(BytesContent([0x50, 0x4b, 3, 4, 0, 0]), of: media)
        }
        #expect(error?.code == .damaged)
    }
}
