import Crypto
import Downloads
import Glibc
import HTTPTransport
import ProviderModel

extension ImageEngine {
    /// Reads an image to find similar ones by ``Listing/similar(_:)``.
    ///
    /// - Parameter reference: the path of a file, or the address of an image, which is fetched where a source takes files only.
    /// - Returns: the image.
    /// - Throws: `ProviderError` with the code `file` when the file cannot be read, is no image, or is larger than 32 MB.
    public func searchImage(_ reference: String) throws -> SearchImage {
        guard !reference.hasPrefix("https://"), !reference.hasPrefix("http://") else {
            do throws(InvalidURL) { return SearchImage(url: try WebURL(reference)) } catch {
                throw ProviderError(
                    .file, provider: "", message: "\(reference.quoted) is not the address of an image: \(error)")
            }
        }
        let descriptor = open(reference, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, let bytes = descriptor.readToEnd(limit: SearchImage.limit + 1) else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw ProviderError(.file, provider: "", message: "could not read \(reference): \(reason)")
        }
        close(descriptor)
        let name = reference.split(separator: "/").last.map(String.init) ?? reference
        return try SearchImage(bytes, named: name, from: reference)
    }
}

extension SearchImage {
    /// The maximum length of a file.
    fileprivate static let limit = 32 << 20

    /// The image in these bytes.
    fileprivate init(_ bytes: [UInt8], named name: String, from place: String) throws(ProviderError) {
        guard bytes.count <= Self.limit else {
            throw ProviderError(.file, provider: "", message: "\(place) is larger than 32 MB (expected an image)")
        }
        guard case .media(let format) = ImageSignature(bytes),
            format.kind == .image
        else {
            throw ProviderError(
                .file, provider: "", message: "\(place) is not an image (expected JPEG, PNG, WebP or the like)")
        }
        self.init(name: name, format: format.rawValue, content: bytes, digest: SHA256.hash(data: bytes).hexadecimal)
    }

    /// Fetches an image from anywhere on the internet.
    static func fetch(_ url: WebURL, over transport: any Transport) async throws -> SearchImage {
        let response = try await transport.send(TransportRequest(url: url, bodyLimit: limit))
        guard response.status == 200 else {
            throw ProviderError(
                .transport, provider: "", message: "could not fetch the image \(url): status \(response.status)")
        }
        return try SearchImage(response.body, named: url.lastPathPart, from: url.description)
    }
}
