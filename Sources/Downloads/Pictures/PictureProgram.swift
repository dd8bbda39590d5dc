import CMetadata
import Dispatch
import FoundationEssentials
import Glibc
import HTTPTransport
import ProviderModel

/// libvips' program, which decodes what servers sent in a process of its own, bounded in time and memory.
package struct PictureProgram: Sendable {
    /// Why nothing came of a picture.
    package struct Failure: Error {
        package let reason: String
    }

    /// The formats it is given: those whose decoders its makers trust with anything.
    package static let readable: Set<MediaFormat> = [.jpeg, .png, .webp, .gif, .tiff, .avif, .heic]

    /// How long one picture may take, how much memory, and how much may come of it.
    private static let timeout = Duration.seconds(120)
    private static let limits = "ulimit -v 2097152; ulimit -t 120; ulimit -f 1048576; ulimit -c 0"

    private let environment: [String]
    private let permits = AsyncSemaphore(max(ProcessInfo.processInfo.activeProcessorCount, 2))

    /// The program on the path; throws what to install where it is missing.
    package init(environment: [String: String] = ProcessInfo.processInfo.environment) throws(DownloadError) {
        var environment = environment
        environment["VIPS_BLOCK_UNTRUSTED"] = "1"
        environment["VIPS_WARNING"] = "0"
        environment["VIPS_CONCURRENCY"] = "2"
        // In memory, which is limited, rather than in files that a killed process would leave.
        environment["VIPS_DISC_THRESHOLD"] = "4g"
        environment["LC_ALL"] = "C.UTF-8"
        self.environment = environment.map { "\($0.key)=\($0.value)" }
        for name in ["vipsthumbnail", "vipsheader"] where !ChildProgram.isFound(name, in: self.environment) {
            throw DownloadError(
                .pictures,
                "could not find the program \(name) that converts and compares pictures (expected that of libvips-tools)"
            )
        }
    }

    /// The picture scaled to fit into `size` and written as `output` says: `.webp[Q=85]`.
    ///
    /// It is turned as its orientation says; a colour profile stays, and CMYK becomes sRGB. `pages` says whether all pages are read.
    func thumbnail(
        of part: PartFile, size: String, allPages: Bool = false, as output: String
    ) async throws -> DescriptorContent {
        let source = allPages ? "stdin[n=-1,fail-on=error]" : "stdin[fail-on=error]"
        return try await run(["vipsthumbnail", source, "--size", size, "-o", output], on: part.descriptor)
    }

    /// The picture of an open file, scaled as that of an unfinished one is.
    func thumbnail(of file: DescriptorContent, size: String, as output: String) async throws -> DescriptorContent {
        defer { withExtendedLifetime(file) {} }
        return try await run(
            ["vipsthumbnail", "stdin[fail-on=error]", "--size", size, "-o", output], on: file.descriptor)
    }

    /// A picture in memory, the first image of several, scaled down where a side is longer than `side`, as JPEG or as PNG.
    package func scaled(_ picture: [UInt8], within side: Int, isTransparent: Bool) async throws -> [UInt8] {
        let source = DescriptorContent(owning: cmetadata_scratch())
        guard source.descriptor.writeAll(picture) else {
            throw DownloadError(errno: errno, "create", "a file in memory")
        }
        let output = isTransparent ? ".png[strip]" : ".jpg[Q=85,strip]"
        let scaled = try await run(
            ["vipsthumbnail", "stdin[fail-on=error]", "--size", "\(side)x\(side)>", "-o", output], on: source.descriptor
        )
        return try scaled.bytes(at: 0, count: scaled.count)
    }

    /// How many pages it has: the images of an animation, too.
    func pageCount(of part: PartFile) async throws -> Int {
        let said = try await run(["vipsheader", "-f", "n-pages", "stdin"], on: part.descriptor, isOptional: true)
        let text = String(decoding: try said.bytes(at: 0, count: said.count), as: UTF8.self)
        return Int(text.prefix { $0.isNumber }) ?? 1
    }

    /// What the program writes to its output, with the file as its input.
    private func run(
        _ words: [String], on file: Int32, isOptional: Bool = false
    ) async throws -> DescriptorContent {
        try await permits.wait()
        defer { permits.signal() }
        let output = DescriptorContent(owning: cmetadata_scratch())
        guard output.descriptor >= 0 else { throw DownloadError(errno: errno, "create", "a file in memory") }
        // A descriptor of its own: the place where reading goes on is shared by copies.
        let input = open("/proc/self/fd/\(file)", O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw DownloadError(errno: errno, "read", "a picture") }
        let source = DescriptorContent(owning: input)
        let files = ChildProgram.Redirection(input: source.descriptor, output: output.descriptor)
        let limited = ["/bin/sh", "-c", "{ \(Self.limits); } 2>/dev/null; exec \"$@\"", "sh"] + words
        let end = ContinuousClock.now + Self.timeout
        let cancellation = CancellationFlag()
        let environment = environment
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(
                        returning: ChildProgram.run(limited, environment: environment, files, until: end) {
                            cancellation.isSet
                        })
                }
            }
        } onCancel: {
            cancellation.set()
        }
        withExtendedLifetime(source) {}
        try Task.checkCancellation()
        switch result {
        case .output: return output
        case .failed where isOptional: return output
        case .failed(let ending, let errors): throw Failure(reason: Self.reason(ending, errors))
        case .timedOut: throw Failure(reason: "it took longer than \(Self.timeout.components.seconds) s")
        case .notStarted(let code): throw Failure(reason: "/bin/sh: \(String(cString: strerror(code)))")
        }
    }

    /// The first line that says what was wrong: the program itself only names its input.
    private static func reason(_ ending: ChildProgram.Ending, _ errors: String) -> String {
        if ending == .signal(Int(SIGXFSZ)) { return "the result would be larger than 512 MB" }
        let lines = errors.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("vipsthumbnail: unable to") }
        // Of memory that it does not get it says nothing.
        return lines.first.map { String($0.prefix(200)) }
            ?? "libvips failed (\(ending)); it may have no more than 2 GB of memory"
    }
}
