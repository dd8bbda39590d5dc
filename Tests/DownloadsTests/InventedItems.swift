import ProviderModel

@testable import Downloads

extension Item {
    /// An item with every kind of field.
    static func invented(id: String = "abc", title: String? = "Red fox, at dawn") -> Item {
        var item = Item(provider: ProviderID("example")!, id: id)
        item.title = title
        item.author = Author(name: "Jean Exemple", id: "u7")
        item.created = "2024-05-06T07:08:09Z"
        item.tags = ["fox", "dawn"]
        item.stats = [Statistic(name: "likes", value: 42)]
        item.media = [.invented(.original, width: 4000, height: 3000)]
        return item
    }
}

extension Media {
    static func invented(
        _ role: Role = .original, width: Int? = nil, height: Int? = nil, path: String = "/file.jpg",
        watermarked: Bool? = nil
    ) -> Media {
        var media = Media(role: role, url: try! WebURL("https://cdn.example.com\(path)"))
        media.width = width
        media.height = height
        media.isWatermarked = watermarked
        return media
    }
}
