import ProviderModel

extension Item {
    /// One line for each field of the contract that the item has, but `extra`; long texts are cut.
    var summary: String {
        var lines = ["\(type) \(id)"]
        func add(_ name: String, _ value: String?) { if let value { lines.append("\(name): \(value)") } }
        func join(_ parts: [String?]) -> String { parts.compactMap(\.self).joined(separator: " | ") }
        add("title", title?.shortened)
        add("description", description?.shortened)
        add("page", page?.description)
        add("tags", tags.isEmpty ? nil : tags.joined(separator: ", "))
        add("author", author.map { join([$0.name, $0.id, $0.url?.description.shortened]) })
        add("license", license.map { join([$0.id, $0.name, $0.url?.description]) })
        add("created", created)
        add(
            "location",
            location.map { join([$0.name, $0.city, $0.country, $0.latitude?.description, $0.longitude?.description]) })
        add(
            "camera",
            camera.map { camera in
                join([camera.make, camera.model, camera.lens, camera.exposure, camera.aperture, camera.focalLength])
                    + (camera.iso.map { " | \($0)" } ?? "")
            })
        add("colors", colors.isEmpty ? nil : colors.joined(separator: ", "))
        add("stats", stats.isEmpty ? nil : stats.map { "\($0.name) \(Int($0.value))" }.joined(separator: ", "))
        for file in media { lines.append(file.summary) }
        add("rating", rating?.rawValue)
        return lines.joined(separator: "\n")
    }
}

extension Media {
    fileprivate var summary: String {
        let size = width.map { "\($0)x\(height ?? 0)" }
        let length = bytes.map { "\($0) bytes" }
        return [role.rawValue, size, format, length, expires, url.description.shortened].compactMap(\.self)
            .joined(separator: " ")
    }
}

extension String {
    /// Enough of a text to know it by, on one line.
    fileprivate var shortened: String {
        let line = split(separator: "\n").joined(separator: " / ")
        return line.count > 84 ? "\(line.prefix(40))…\(line.suffix(40))" : line
    }
}
