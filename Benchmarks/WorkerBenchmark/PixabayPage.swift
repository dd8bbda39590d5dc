import Foundation

/// An answer of Pixabay as a compiled client would read it.
struct PixabayPage: Decodable {
    struct Hit: Decodable {
        let id: Int
        let pageURL: URL
        let type: String
        let tags: String
        let previewURL: URL
        let previewWidth: Int
        let previewHeight: Int
        let webformatURL: URL
        let webformatWidth: Int
        let webformatHeight: Int
        let largeImageURL: URL
        let imageWidth: Int
        let imageHeight: Int
        let imageSize: Int
        let views: Int
        let downloads: Int
        let collections: Int
        let likes: Int
        let comments: Int
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let user_id: Int
        let user: String
        let userImageURL: String
    }

    let total: Int
    let totalHits: Int
    let hits: [Hit]
}

/// Such an answer with invented hits, of the lengths that real ones have.
struct PixabayBody {
    let json: Data

    init(hits count: Int) {
        let hits = (0..<count).map { index -> String in
            let id = 634_000 + index
            let key = String(repeating: String(id, radix: 16), count: 19).prefix(94)
            return """
                {"id":\(id),"pageURL":"https://pixabay.com/photos/apples-fruits-red-ripe-\(id)/","type":"photo","tags":"apples, fruits, red",\
                "previewURL":"https://cdn.pixabay.com/photo/2015/02/13/00/43/apples-\(id)_150.jpg","previewWidth":100,"previewHeight":150,\
                "webformatURL":"https://pixabay.com/get/g\(key)_640.jpg","webformatWidth":427,"webformatHeight":640,\
                "largeImageURL":"https://pixabay.com/get/g\(key)\(key.prefix(32))_1280.jpg","imageWidth":3345,"imageHeight":5017,\
                "imageSize":811238,"views":406062,"downloads":232195,"collections":2947,"likes":2287,"comments":180,\
                "user_id":752536,"user":"Desertrose7","userImageURL":"https://cdn.pixabay.com/user/2016/03/14/13-25-18-933_250x250.jpg"}
                """
        }
        json = Data("{\"total\":13711,\"totalHits\":500,\"hits\":[\(hits.joined(separator: ","))]}".utf8)
    }
}
