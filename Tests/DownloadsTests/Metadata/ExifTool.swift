import Foundation
import ProviderModel

@testable import Downloads

/// The program that reads metadata in tests, and what it is to find.
enum ExifTool {
    static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/exiftool" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static let fields = [
        EmbeddedField(tag: "Xmp.dc.title", values: ["Füchse"], kind: .languages),
        EmbeddedField(tag: "Xmp.dc.creator", values: ["Jean Exemple", "Ann"], kind: .list),
        EmbeddedField(tag: "Xmp.dc.subject", values: ["fox", "dawn, late"], kind: .list),
        EmbeddedField(tag: "Exif.Image.Artist", values: ["Jean Exemple; Ann"], kind: .plain),
        EmbeddedField(tag: "Exif.Image.Copyright", values: ["CC BY 4.0"], kind: .plain),
        EmbeddedField(tag: "Iptc.Application2.Keywords", values: ["fox", "dawn, late"], kind: .list),
    ]

    static func expected(_ format: MediaFormat) -> [String] {
        let iptc = ["IPTC:Keywords=fox | dawn, late"]
        return [
            "XMP:Title=Füchse", "XMP:Creator=Jean Exemple | Ann", "XMP:Subject=fox | dawn, late",
            "EXIF:Artist=Jean Exemple; Ann", "EXIF:Copyright=CC BY 4.0",
        ] + (format == .jpeg || format == .tiff ? iptc : [])
    }

    /// The tags of files, each with its group and value, by path.
    static func tags(of paths: [String]) throws -> [String: Set<String>] {
        guard let program = path else { return [:] }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = ["-json", "-G", "-a", "-sep", " | ", "-u", "-q"] + paths
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let files = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
        return files.reduce(into: [:]) { found, file in
            guard let path = file["SourceFile"] as? String else { return }
            found[path] = Set(file.map { "\($0)=\($1)" })
        }
    }
}
