import ProviderModel

@testable import ScriptEngine

/// An object of one shape with all its fields, inside of what a script would give.
struct ContractSample {
    /// JavaScript by name.
    let fields: [String: String]
    private let wrap: (String) -> String
    private let read: (inout ContractReader) throws(ContractViolation) -> Void

    /// Whether what a script gives is taken without one field.
    func isFine(without field: String?, in engine: TestEngine) -> Bool {
        let members = fields.filter { $0.key != field }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        let read = read
        return violation {
            _ = try engine.read(wrap("{ \(members) }")) { reader throws(ContractViolation) in try read(&reader) }
        } == "fine"
    }

    /// The samples, by the interface in the declarations.
    static var all: [String: ContractSample] {
        let manifest: (inout ContractReader) throws(ContractViolation) -> Void = { reader throws(ContractViolation) in
            _ = try reader.manifest(operations: [])
        }
        let item: (inout ContractReader) throws(ContractViolation) -> Void = { reader throws(ContractViolation) in
            _ = try Item(&reader)
        }
        func within(_ member: String) -> (String) -> String {
            {
                "{ contract: 1, id: 'a', name: 'A', version: '1.0.0', hosts: [], mediaHosts: [], \(member.replacing("HERE", with: $0)) }"
            }
        }
        func inItem(_ member: String) -> (String) -> String {
            { "{ id: '1', type: 'image', media: [], \(member.replacing("HERE", with: $0)) }" }
        }
        let url = "'https://a.example/'"
        return [
            "Provider": .init(
                fields: [
                    "contract": "1", "id": "'a'", "name": "'A'", "version": "'1.0.0'", "homepage": url,
                    "summary": "'S'", "bugs": url, "deprecated": "{ date: '2026-05-01', note: 'N' }", "base": url,
                    "instance": "{}", "hosts": "[]", "mediaHosts": "[]", "auth": "[]", "limits": "{}", "terms": "{}",
                    "paging": "'page'",
                    "match": "[]",
                ], wrap: { $0 }, read: manifest),
            "Provider.deprecated": .init(
                fields: ["date": "'2026-05-01'", "ends": "'2027-01-01'", "note": "'N'"],
                wrap: within("deprecated: HERE"), read: manifest),
            "Provider.instance": .init(
                fields: ["default": url, "help": "'H'"], wrap: within("instance: HERE"), read: manifest),
            "Limits": .init(
                fields: [
                    "pageSize": "{ max: 1 }", "reachable": "1", "text": "{}", "rate": "[]", "concurrent": "1",
                    "reset": "{}",
                ],
                wrap: within("limits: HERE"), read: manifest),
            "Limits.pageSize": .init(
                fields: ["min": "1", "max": "9", "default": "3"], wrap: within("limits: { pageSize: HERE }"),
                read: manifest),
            "Limits.text": .init(
                fields: ["min": "1", "max": "9"], wrap: within("limits: { text: HERE }"), read: manifest),
            "Terms": .init(
                fields: [
                    "url": url, "license": "'L'", "cacheAtLeast": "'1h'", "cacheAtMost": "'1d'", "hotlink": "true",
                    "attribution": "'A'", "notice": "'N'",
                ],
                wrap: within("terms: HERE"), read: manifest),
            "OperationOptions": .init(
                fields: ["params": "{}", "near": "true"], wrap: within("search: HERE"), read: manifest),
            "Parameter": .init(
                fields: [
                    "type": "'list'", "values": "['a']", "min": "1", "max": "2", "join": "','", "help": "'H'",
                    "default": "'a'", "filter": "'tag'", "filterValues": "{}",
                ],
                wrap: within("search: { params: { p: HERE } }"), read: manifest),
            "Match": .init(
                fields: ["pattern": "'a:{id}'", "item": "{ id: '{id}' }"], wrap: within("match: [HERE]"), read: manifest
            ),
            "Match.item": .init(
                fields: ["id": "'{id}'", "type": "'image'"], wrap: within("match: [{ pattern: 'a:{id}', item: HERE }]"),
                read: manifest),
            "Request": .init(
                fields: [
                    "url": url, "method": "'GET'", "query": "{}", "headers": "{}", "json": "1", "accept": "'xml'",
                    "auth": "false", "allowStatus": "[404]",
                ],
                wrap: { $0 }, read: { reader throws(ContractViolation) in _ = try reader.requests(base: nil) }),
            "Page": .init(
                fields: ["items": "[]", "total": "0", "next": "1"], wrap: { $0 },
                read: { reader throws(ContractViolation) in
                    _ = try Page(&reader)
                }),
            "Item": .init(
                fields: [
                    "id": "'1'", "type": "'image'", "title": "'T'", "description": "'D'", "page": url, "tags": "[]",
                    "alt": "'A'", "author": "{ name: 'N' }", "authors": "[{ name: 'N' }]", "credit": "'C'",
                    "license": "{ id: 'cc0-1.0' }", "created": "'2024'", "createdUntil": "'2025'", "location": "{}",
                    "camera": "{}",
                    "colors": "[]", "stats": "{}",
                    "media": "[]", "rating": "'safe'", "aiGenerated": "true", "extra": "{}",
                ], wrap: { $0 }, read: item),
            "Author": .init(
                fields: ["name": "'N'", "id": "'1'", "url": url], wrap: inItem("author: HERE"), read: item),
            "License": .init(
                fields: ["id": "'x'", "name": "'N'", "url": url], wrap: inItem("license: HERE"), read: item),
            "Location": .init(
                fields: ["name": "'N'", "city": "'C'", "country": "'C'", "latitude": "1", "longitude": "1"],
                wrap: inItem("location: HERE"), read: item),
            "Camera": .init(
                fields: [
                    "make": "'M'", "model": "'M'", "lens": "'L'", "exposure": "'1'", "aperture": "'4'",
                    "focalLength": "'50'", "iso": "100",
                ],
                wrap: inItem("camera: HERE"), read: item),
            "Media": .init(
                fields: [
                    "role": "'large'", "url": url, "width": "1", "height": "1", "bytes": "1", "format": "'png'",
                    "expires": "'2024-01-01'",
                    "watermarked": "true", "headers": "{}",
                ], wrap: { "{ id: '1', type: 'image', media: [\($0)] }" }, read: item),
            "SessionValues": .init(
                fields: ["values": "{}", "expiresIn": "9"], wrap: { $0 },
                read: { reader throws(ContractViolation) in _ = try SessionResult(&reader) }),
        ]
    }
}
