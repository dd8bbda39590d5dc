import FoundationEssentials
import ProviderModel

extension CrawlState {
    /// Writes the providers with the names they are decoded by.
    func write(to json: inout JSONWriter) {
        json.object { json in
            for (provider, progress) in providers.sorted(by: { $0.key < $1.key }) {
                json.name(provider)
                progress.write(to: &json)
            }
        }
    }
}

extension ResumeProgress {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            if let position {
                json.name("position")
                json.object { json in
                    json.member("page", position.page)
                    json.member("offset", position.offset)
                    json.member("cursor", position.cursor)
                    json.member("pageSize", position.pageSize)
                }
            }
            json.member("delivered", delivered)
            json.member("total", total)
            json.name("isFinished")
            json.value(isFinished)
            json.member("revision", revision)
            json.name("passedIDs")
            json.array(passedIDs) { $0.value($1) }
            json.name("unfinishedIDs")
            json.array(unfinishedIDs) { $0.value($1) }
        }
    }

    /// Whether a run can go on from this, whoever wrote it.
    func isUsable(by decoder: JSONDecoder) -> Bool { isValid && hasValidCursor(by: decoder) }

    /// Whether the cursor, which a provider will be handed as JSON, is JSON.
    private func hasValidCursor(by decoder: JSONDecoder) -> Bool {
        guard let cursor = position?.cursor else { return true }
        return (try? decoder.decode(AnyValue.self, from: Data(cursor.utf8))) != nil
    }
}

extension ResumeKey {
    /// Writes the key with the names it is decoded by.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("listing", listing)
            json.member("text", text)
            json.name("providers")
            json.array(providers) { $0.value($1) }
            json.name("parameters")
            json.object { json in
                for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { json.member(name, value) }
            }
            json.member("near", near)
            json.member("instance", instance)
            json.name("isSample")
            json.value(isSample)
        }
    }
}

/// Any JSON value at all.
private struct AnyValue: Decodable {
    init(from decoder: any Decoder) throws {
        if var list = try? decoder.unkeyedContainer() {
            while !list.isAtEnd { _ = try list.decode(AnyValue.self) }
        } else if let object = try? decoder.singleValueContainer().decode([String: AnyValue].self) {
            _ = object
        } else {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() || (try? value.decode(Bool.self)) != nil || (try? value.decode(Double.self)) != nil {
                return
            }
            _ = try value.decode(String.self)
        }
    }
}
