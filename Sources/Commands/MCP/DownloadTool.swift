import ImgScript
import ProviderModel

/// The tool that downloads images into a folder that the user named.
struct DownloadTool: Sendable {
    let engine: ImageEngine
    /// The folder that all downloads are below.
    let folder: String

    var tool: MCPTool { MCPTool(name: "download_images", run: run) }

    private func run(_ arguments: MCPArguments, _ call: MCPCall) async throws -> MCPResult {
        let references = arguments.texts("refs")
        for (index, text) in references.enumerated() where !DownloadInput.isReference(text) {
            throw MCPTool.Failure("refs[\(index)]: found \(text.quoted) (expected PROVIDER:ID or the URL of a page)")
        }
        let target = try Self.path(arguments.text("folder"), below: folder)
        var options = DownloadOptions()
        if let width = arguments.integer("width") { options.size = .width(width) }
        var selection = InputSelection()
        if !arguments.flag("include_unlicensed") { try selection.options.filter.requireLicense() }
        let notes = MCPNotes()
        let inputs = AsyncStream { continuation in
            continuation.yield(references.map { DownloadInput(.reference($0)) })
            continuation.finish()
        }
        let run = try engine.download(
            inputs: inputs, to: target, options: options, selection: selection, context: notes.context)
        // Files that are nearly there get their moment; the answer is not waited for.
        return try await withTaskCancellationHandler {
            try await result(of: run, references.count, target, notes, call)
        } onCancel: {
            run.stop()
        }
    }

    private func result(
        of run: DownloadRun, _ count: Int, _ target: String, _ notes: MCPNotes, _ call: MCPCall
    ) async throws -> MCPResult {
        var files: [JSONValue] = []
        var failures: [String] = []
        var leftOut = 0
        var summaries = ImageSummaries(engine)
        for try await event in run {
            switch event {
            case .finished(let file):
                var credit: String?
                if let item = file.item { credit = try await summaries.credit(of: item).text }
                files.append(Self.file(file.item?.reference ?? file.url.description, file.path, credit))
            case .skipped(let key, let reason):
                if let path = reason.path {
                    files.append(Self.file(key.itemReference, path, nil, wasThere: true))
                } else if case .failedBefore(let reason, _) = reason {
                    failures.append("\(key.itemReference): \(reason)")
                }
            case .failed(let error): failures.append(error.description)
            case .excluded(_, let count): leftOut += count
            case .planned, .started, .commandEnded, .bundled, .leftOut, .collection, .inputEnded: continue
            }
            call.report(files.count + failures.count + leftOut, of: count, "\(files.count) files")
        }
        if leftOut > 0 { notes.add("images without a stated licence are left out; include_unlicensed downloads them") }
        return MCPResult(
            structured: .members([
                ("folder", .string(target)), ("files", .array(files)), ("failures", .texts(failures)),
                ("left_out", .integer(leftOut)), ("notes", .texts(notes.all)),
            ]))
    }

    private static func file(_ ref: String, _ path: String, _ credit: String?, wasThere: Bool = false) -> JSONValue {
        .members([
            ("ref", .string(ref)), ("path", .string(path)), ("credit", .string(credit)),
            ("was_there", .boolean(wasThere)),
        ])
    }

    /// A folder below another by the names on the way to it, none of which leads back or is hidden.
    static func path(_ names: String?, below root: String) throws(MCPTool.Failure) -> String {
        guard let names else { return root }
        let parts = names.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let areNames = parts.allSatisfy { name in
            !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 255
                && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }
        }
        guard areNames, parts.count <= 16 else {
            throw MCPTool.Failure("folder: found \(names.quoted) (expected names below the folder of downloads)")
        }
        return ([root] + parts).joined(separator: "/")
    }
}
