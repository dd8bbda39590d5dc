extension Item {
    /// Writes the item with the contract's field names, its provider first.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("provider", provider.description)
            writeContract(to: &json)
        }
    }

    /// Writes the item with the contract's field names, its provider first and members of the caller's last.
    package func write(to json: inout JSONWriter, then more: (inout JSONWriter) -> Void) {
        json.object { json in
            json.member("provider", provider.description)
            writeContract(to: &json)
            more(&json)
        }
    }

    /// The item as a script knows it: without its provider.
    package var contractJSON: JSONText {
        var writer = JSONWriter()
        writer.object { writeContract(to: &$0) }
        return JSONText(validated: writer.text)
    }

    private func writeContract(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("type", type.rawValue)
        json.member("title", title)
        json.member("description", description)
        json.member("page", page)
        writeList("tags", tags, to: &json)
        writeAuthor(to: &json)
        writeLicense(to: &json)
        json.member("created", created)
        if let location {
            json.name("location")
            location.write(to: &json)
        }
        if let camera {
            json.name("camera")
            camera.write(to: &json)
        }
        writeList("colors", colors, to: &json)
        if !stats.isEmpty {
            json.name("stats")
            json.object { json in for stat in stats { json.member(stat.name, stat.value) } }
        }
        json.name("media")
        json.array(media) { $1.write(to: &$0) }
        json.member("rating", rating?.rawValue)
        if let extra {
            json.name("extra")
            json.value(extra)
        }
    }

    private func writeList(_ name: String, _ values: [String], to json: inout JSONWriter) {
        guard !values.isEmpty else { return }
        json.name(name)
        json.array(values) { $0.value($1) }
    }

    private func writeAuthor(to json: inout JSONWriter) {
        guard let author else { return }
        json.name("author")
        json.object { json in
            json.member("name", author.name)
            json.member("id", author.id)
            json.member("url", author.url)
        }
    }

    private func writeLicense(to json: inout JSONWriter) {
        guard let license else { return }
        json.name("license")
        json.object { json in
            json.member("id", license.id)
            json.member("name", license.name)
            json.member("url", license.url)
        }
    }
}

extension Location {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("city", city)
            json.member("country", country)
            json.member("latitude", latitude)
            json.member("longitude", longitude)
        }
    }
}

extension Camera {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("make", make)
            json.member("model", model)
            json.member("lens", lens)
            json.member("exposure", exposure)
            json.member("aperture", aperture)
            json.member("focalLength", focalLength)
            json.member("iso", iso)
        }
    }
}

extension Media {
    /// Writes the file with the contract's field names.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("role", role.rawValue)
            json.member("url", url)
            json.member("width", width)
            json.member("height", height)
            json.member("bytes", bytes)
            json.member("format", format)
            json.member("expires", expires)
            if let isWatermarked {
                json.name("watermarked")
                json.value(isWatermarked)
            }
            if !headers.isEmpty {
                json.name("headers")
                json.object { json in for header in headers { json.member(header.name, header.value) } }
            }
        }
    }
}
