import Hummingbird
import ImgScript
import ProviderModel

/// Stores and removes the keys of providers; what is stored never leaves the server again.
struct KeyRoutes: Sendable {
    let engine: ImageEngine

    /// Answers `PUT /keys/PROVIDER` with `{"values": {"key": "…"}}`.
    func set(_ request: Request, _ context: GalleryContext) async throws -> Response {
        let manifest = try await manifest(context)
        let names = manifest.secretNames
        guard !names.isEmpty else {
            throw APIError(.unprocessableContent, "unsupported", "\(manifest.id) takes no key")
        }
        let body = try await request.json(upTo: 64 << 10)
        guard let members = body["values"]?.members, members.map(\.name).sorted() == names.sorted() else {
            throw APIError.invalid("found no values of \(names.joined(separator: ", ")) (expected each of them)")
        }
        // Half of what is needed is not stored: all are looked at first.
        let values = try members.map { member in
            guard let text = member.value.textValue, !text.isEmpty, text.utf8.count <= 8_192,
                !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f })
            else { throw APIError.invalid("\(member.name) is not valid (expected one line of text)") }
            return (member.name, text)
        }
        let owner = engine.secretOwner(of: manifest)
        do {
            for (name, value) in values { try engine.setSecret(name, of: owner, to: value) }
        } catch { throw APIError(error) }
        return Response(status: .noContent)
    }

    /// Answers `DELETE /keys/PROVIDER`.
    func remove(_ request: Request, _ context: GalleryContext) async throws -> Response {
        let manifest = try await manifest(context)
        let isRemoved: Bool
        do { isRemoved = try engine.removeSecrets(of: engine.secretOwner(of: manifest)) } catch {
            throw APIError(error)
        }
        guard isRemoved else {
            // What cannot be listed was not removed either.
            let entry = try? engine.listSecrets(of: [manifest]).first { $0.origin.hasPrefix("$") }
            guard let entry else { throw APIError.notFound("\(manifest.id) has no stored key") }
            throw APIError(
                .conflict, "environment", "the key of \(manifest.id) is set by the environment, in \(entry.origin)",
                hint: "start the server without that variable")
        }
        return Response(status: .noContent)
    }

    private func manifest(_ context: GalleryContext) async throws -> ProviderManifest {
        let name = context.parameters.get("provider") ?? ""
        guard ProviderID(name) != nil else { throw APIError.notFound("unknown provider \(name.quoted)") }
        do { return try await engine.manifest(of: name) } catch { throw APIError(error) }
    }
}

extension Request {
    /// Reads the body as one JSON object.
    func json(upTo limit: Int) async throws -> JSONValue {
        var request = self
        let body: ByteBuffer
        do { body = try await request.collectBody(upTo: limit) } catch {
            throw APIError(.contentTooLarge, "tooLarge", "the body is too large (expected at most \(limit) bytes)")
        }
        guard let value = JSONValue.found(in: body.readableBytesView), value.members != nil else {
            throw APIError.invalid("the body is not valid (expected one JSON object)")
        }
        return value
    }
}
