import Testing

@testable import ProviderModel

@Suite("The files of an item")
struct ItemFilesTests {
    private func media(
        _ role: Media.Role, _ name: String, file: Int? = nil, type: Media.Kind? = nil
    ) throws -> Media {
        var media = Media(role: role, url: try WebURL("https://files.example/\(name)"))
        (media.file, media.type) = (file, type)
        return media
    }

    private func item(_ media: [Media], type: Item.Kind = .image) -> Item {
        var item = Item(provider: ProviderID("fake")!, id: "1", type: type)
        item.media = media
        return item
    }

    @Test func filesAreGroupedByTheirNumberInOrder() throws {
        let post = item([
            try media(.original, "1.jpg"), try media(.original, "3.jpg", file: 3), try media(.small, "1s.jpg", file: 1),
            try media(.original, "2.jpg", file: 2), try media(.thumbnail, "3t.jpg", file: 3),
        ])
        let names = post.files.map { sizes in sizes.map { $0.url.lastPathPart } }
        #expect(names == [["1.jpg", "1s.jpg"], ["2.jpg"], ["3.jpg", "3t.jpg"]])
        #expect(post.bestMedia?.url.lastPathPart == "1.jpg")
        #expect(item([]).files.isEmpty)
    }

    @Test(
        arguments: [
            ("a.jpg", nil, .image), ("a.gif", nil, .image), ("a", nil, .image), ("a.mp4", nil, .video),
            ("a.WEBM?x=1", nil, .video), ("a.mp3", nil, .audio), ("a.zip", nil, .image),
            ("a.zip", .animation, .animation),
            ("a", .video, .video), ("a.mp4", .animation, .animation),
        ] as [(String, Media.Kind?, Media.Kind)])
    func kindFollowsFromTheURLUnlessItIsSaid(_ name: String, _ type: Media.Kind?, _ kind: Media.Kind) throws {
        #expect(try media(.original, name, type: type).kind == kind)
    }

    @Test func stillsOfAFilmAreNoFilesOfTheirOwn() throws {
        let film = item([try media(.original, "f.mp4"), try media(.large, "f.jpg")], type: .video)
        #expect(film.files(of: Media.pictures).isEmpty && !film.hasFile(of: Media.pictures))
        #expect(film.files(of: [.video]).map(\.sizes.count) == [1])
        // As large as the film, an image is another form of it.
        let both = item([try media(.original, "f.mp4"), try media(.original, "f.gif"), try media(.small, "f.jpg")])
        #expect(both.files(of: Media.pictures).flatMap(\.sizes).map(\.url.lastPathPart) == ["f.gif"])
        let unknown = item([try media(.thumbnail, "f.jpg")], type: .video)
        #expect(!unknown.hasFile(of: Media.pictures) && unknown.files(of: [.image]).isEmpty)
        #expect(item([]).hasFile(of: [.audio]))
    }

    @Test func typeMayBeLeftOutAndEverythingComesBack() throws {
        let text =
            #"{"provider":"fake","id":"1","media":[{"role":"original","url":"https://files.example/1.zip","file":2,"#
            + #""type":"animation","frames":[{"file":"0.jpg","delay":80}]}]}"#
        let item = try Item(json: Array(text.utf8))
        #expect(item.type == .image && item.media[0].file == 2)
        #expect(item.media[0].frames == [Media.Frame(file: "0.jpg", delay: 80)])
        var json = JSONWriter()
        item.write(to: &json)
        #expect(json.text == text.replacing(#""id":"1","#, with: #""id":"1","type":"image","#))
        let script = #"{"id":"1","type":null,"media":[]}"#
        let read = try ContractReader.read(Array(script.utf8)) { reader throws(ContractViolation) in
            try Item(&reader)
        }
        #expect(read.type == .image)
        #expect(throws: ContractViolation.self) {
            try ContractReader.read(Array(#"{"id":"1","type":"film","media":[]}"#.utf8)) {
                reader throws(ContractViolation) in try Item(&reader)
            }
        }
    }
}
