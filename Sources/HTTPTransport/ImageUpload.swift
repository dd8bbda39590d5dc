import HTTPTypes
import ProviderModel

/// An image in a form of several parts (RFC 7578).
package struct ImageUpload: Sendable {
    /// The name of its field.
    package let field: String
    /// The image.
    package let image: SearchImage

    /// The form with these pairs and the image, and the type that names its boundary.
    func form(with pairs: [NamedValue]) -> (type: String, body: [UInt8]) {
        let boundary = "imgscript-\(RandomText.make(bytes: 16))"
        var body: [UInt8] = []
        func add(_ text: String) { body += Array(text.utf8) }
        for pair in pairs {
            add("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escaped(pair.name))\"\r\n\r\n")
            add("\(pair.value)\r\n")
        }
        let type = image.format.map { "image/\($0 == "svg" ? "svg+xml" : $0)" } ?? "application/octet-stream"
        add("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escaped(field))\"; ")
        add("filename=\"\(Self.escaped(image.name))\"\r\nContent-Type: \(type)\r\n\r\n")
        body += image.content
        add("\r\n--\(boundary)--\r\n")
        return ("multipart/form-data; boundary=\(boundary)", body)
    }

    /// As browsers write names: quotes and line breaks percent-encoded.
    private static func escaped(_ name: String) -> String {
        name.replacing("\"", with: "%22").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }
}
