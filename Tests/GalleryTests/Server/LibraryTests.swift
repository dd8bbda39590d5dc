import Foundation
import TestSupport
import Testing

@Suite("What was downloaded is a source", .timeLimit(.minutes(2)))
struct LibraryTests {
    /// A gallery into whose folder the first pictures of its source were downloaded.
    private struct Library {
        let server: GalleryProcess
        var bearer: [(String, String)] { [("Authorization", "Bearer \(server.token)")] }

        init(_ count: Int, _ source: PictureSource? = nil) throws {
            server = try GalleryProcess(try source ?? PictureSource(), isServing: true)
            let found = try send("GET", "images?q=fox&limit=\(count)")
            let body = try JSONSerialization.data(withJSONObject: ["items": try object(found)["images"]])
            let started = try send("POST", "downloads", body: String(decoding: body, as: UTF8.self))
            let id = try #require(try object(started)["id"] as? String)
            let events = try send("GET", "downloads/\(id)/events").text
            try #require(events.contains(#""finished":\#(count)"#), "\(events)")
        }

        func send(_ method: String, _ path: String, body: String? = nil) throws -> HTTPClient.Reply {
            try HTTPClient(port: server.port).send(method, "/api/v1/\(path)", bearer, body: body)
        }

        func object(_ reply: HTTPClient.Reply) throws -> [String: Any] {
            try #require(
                try JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any],
                "\(reply.status) \(reply.text)")
        }

        func images(_ query: String = "") throws -> [[String: Any]] {
            try #require(try object(try send("GET", "library?\(query)"))["images"] as? [[String: Any]])
        }

        func titles(_ query: String = "") throws -> [String] { try images(query).compactMap { $0["title"] as? String } }
    }

    private func text(_ item: [String: Any], _ names: String...) -> String {
        var value: Any? = item
        for name in names { value = (value as? [String: Any])?[name] }
        return value as? String ?? ""
    }

    @Test func filesAreListedWithWhatTheirSourceSaid() throws {
        let library = try Library(3)
        let image = try #require(try library.images("q=picture+2").first)
        #expect(text(image, "title") == "Picture 2" && text(image, "author", "name") == "Ann")
        #expect(text(image, "license", "id") == "cc-by-4.0" && image["tags"] as? [String] == ["fox"])
        #expect(text(image, "provider") == "pictures" && text(image, "file", "path") == "pictures/2-picture-2.jpg")
        #expect(text(image, "attribution", "text").contains("Ann"))
        let media = try #require((image["media"] as? [[String: Any]])?.first)
        #expect(media["width"] as? Int == 40 && media["height"] as? Int == 30)
        let picture = try HTTPClient(port: library.server.port).send(
            "GET", text(image, "pictures", "full", "url"), library.bearer)
        #expect(picture.body == PictureSource.jpeg(2) && picture.header("Content-Type") == "image/jpeg")
        // Its own address has the same.
        let file = text(image, "ref").replacing("library:", with: "")
        #expect(text(try library.object(try library.send("GET", "library/files/\(file)")), "title") == "Picture 2")
    }

    @Test(arguments: ["q=PICTURE+3", "q=ann+3", "q=fox+3-picture", "q=CC-BY+3"])
    func titlesTagsAuthorsAndLicencesAreSearched(query: String) throws {
        #expect(try Library(4).titles(query) == ["Picture 3"])
    }

    @Test func partsFollowOneAnotherInTheirOrder() throws {
        let library = try Library(7)
        #expect(try library.titles("order=title") == (1...7).map { "Picture \($0)" })
        var titles: [String] = []
        var cursor: String?
        repeat {
            let part = try library.object(
                try library.send("GET", "library?order=newest&limit=3" + (cursor.map { "&cursor=\($0)" } ?? "")))
            titles += (part["images"] as? [[String: Any]] ?? []).compactMap { $0["title"] as? String }
            let total = (part["providers"] as? [[String: Any]])?.first?["total"] as? Int
            #expect(total == 7)
            cursor = part["next"] as? String
        } while cursor != nil
        #expect(titles.sorted() == (1...7).map { "Picture \($0)" })
        // A cursor holds for its listing.
        let part = try library.object(try library.send("GET", "library?limit=3"))
        let next = try #require(part["next"] as? String)
        #expect(try library.send("GET", "library?limit=3&q=fox&cursor=\(next)").status == 400)
        let events = try library.send("GET", "library/events?limit=3").text
        #expect(events.components(separatedBy: "event: image").count == 4 && events.contains("event: end"))
    }

    @Test func filesAreRemovedAloneOrWithTheirCredits() throws {
        let library = try Library(3)
        let images = try library.images("order=title")
        let names = images.map { text($0, "ref").replacing("library:", with: "") }
        #expect(try library.send("DELETE", "library/files/\(names[0])").status == 204)
        #expect(try library.send("DELETE", "library/files/\(names[1])?file=true").status == 204)
        #expect(try library.titles() == ["Picture 3"])
        #expect(try library.send("DELETE", "library/files/\(names[1])?file=true").status == 404)
        let folder = library.server.downloads.path
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/pictures").sorted()
        #expect(files == ["1-picture-1.jpg", "3-picture-3.jpg"])
        let credits = try String(contentsOfFile: "\(folder)/credits.md", encoding: .utf8)
        #expect(credits.contains("1-picture-1.jpg") && !credits.contains("2-picture-2.jpg"))
    }

    @Test func filesThatAreGoneAreToldOf() throws {
        let library = try Library(2)
        try FileManager.default.removeItem(atPath: "\(library.server.downloads.path)/pictures/1-picture-1.jpg")
        let events = try library.send("GET", "library/events").text
        #expect(events.contains("1 downloaded file is no longer in the folder"), "\(events)")
        #expect(events.contains("Picture 2") && !events.contains("Picture 1"))
    }

    @Test(arguments: ["../../etc/passwd", "/etc/passwd", "pictures/../../token", ".imgscript/archive.sqlite"])
    func onlyFilesOfTheArchiveAreThere(path: String) throws {
        let library = try Library(1)
        let id = Data(path.utf8).base64EncodedString().replacing("=", with: "").replacing("/", with: "_")
        #expect(try library.send("GET", "library/files/\(id)").status == 404)
        #expect(try library.send("DELETE", "library/files/\(id)?file=true").status == 404)
        #expect(FileManager.default.fileExists(atPath: "\(library.server.downloads.path)/.imgscript/archive.sqlite"))
    }

    @Test func aFolderWithoutDownloadsIsEmpty() throws {
        let server = try GalleryProcess(try PictureSource(total: 1), isServing: true)
        let reply = try HTTPClient(port: server.port).send(
            "GET", "/api/v1/library", [("Authorization", "Bearer \(server.token)")])
        #expect(reply.status == 200 && reply.text.contains(#""images":[]"#), "\(reply.text)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: server.downloads.path).isEmpty)
    }

    @Test func filesOfTheSameContentAreDuplicates() throws {
        // The second and the third are the same picture.
        let source = try PictureSource { request in
            request.path == "/image/3.jpg" ? .answer(body: PictureSource.jpeg(2)) : nil
        }
        let library = try Library(4, source)
        var found: [String: Any] = [:]
        // As long as a busy machine takes to compare the pictures.
        repeat {
            found = try library.object(try library.send("GET", "library/duplicates"))
        } while found["remaining"] as? Int != 0
        let groups = try #require(found["groups"] as? [[[String: Any]]])
        #expect(groups.map { Set($0.map { text($0, "title") }) } == [["Picture 2", "Picture 3"]])
    }
}
