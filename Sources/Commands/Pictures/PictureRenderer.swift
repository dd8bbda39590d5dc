import Dispatch
import Glibc
import ImgScript
import ProviderModel

/// A picture as a terminal takes it.
struct RenderedPicture: Hashable, Sendable {
    /// The form.
    enum Content: Hashable, Sendable {
        /// Lines of symbols, each as wide as the picture.
        case lines([String])
        /// One sequence that draws the picture from the cursor on, down and to the right.
        case graphics(String)
    }

    /// The cells it takes.
    let size: CellSize
    /// The form.
    let content: Content
}

/// Draws pictures with `chafa`: a process of its own decodes what may be hostile, within limits of time and memory.
struct PictureRenderer: Sendable {
    /// Why a picture is not drawn.
    struct Failure: Error, Hashable {
        /// What was found.
        let reason: String
    }

    /// The program.
    private static let program = "chafa"
    /// How long a picture may take.
    private static let timeLimit = Duration.seconds(10)
    /// The memory of a process that decodes a picture.
    private static let memoryLimit = 1 << 30
    /// The most pixels of a picture.
    private static let pixelLimit = 60_000_000
    /// The pixels that chafa takes for a cell where it has no terminal to ask.
    private static let assumedCell = 8

    /// How pictures are drawn.
    let format: PictureFormat
    /// The pixels of a cell; those of a common font where the terminal does not say.
    let cell: (width: Int, height: Int)
    private let colors: PictureColors
    private let environment: [String]
    /// As many at once as there are processors: more would only wait for each other.
    private let permits = AsyncSemaphore(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1))

    /// A renderer for the terminal of the standard output; throws where pictures cannot be shown.
    init(_ choice: PictureFormat, environment: [String: String]) throws(TerminalError) {
        self.environment = environment.map { "\($0)=\($1)" }
        guard Self.program(in: environment) != nil else {
            throw TerminalError(
                code: .noProgram, message: "could not show pictures: chafa is not installed (expected it in PATH)",
                hint: "apt install chafa installs it")
        }
        format = choice == .auto ? .detected(in: environment) : choice
        colors = PictureColors(in: environment)
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        let width = isKnown ? Int(size.ws_xpixel) / Int(size.ws_col) : 0
        let height = isKnown ? Int(size.ws_ypixel) / Int(size.ws_row) : 0
        cell = width > 0 && height > 0 ? (min(width, 100), min(height, 200)) : (10, 20)
    }

    /// Where the program is; nil where it is not installed.
    static func program(in environment: [String: String]) -> String? {
        ChildProgram.path(of: program, in: environment.map { "\($0)=\($1)" })
    }

    /// The width in pixels that is worth loading for so many columns.
    func pixels(ofColumns columns: Int) -> Int { columns * (format.isGraphics ? cell.width : 4) }

    /// Draws a picture within a box.
    func render(_ image: ImageData, in box: CellSize) async throws -> RenderedPicture {
        // SVG is a document, which may name files.
        guard image.format != "svg" else { throw Failure(reason: "SVG is not shown") }
        let pixels = (image.width ?? 0).multipliedReportingOverflow(by: image.height ?? 0)
        guard !pixels.overflow, pixels.partialValue <= Self.pixelLimit else {
            throw Failure(reason: "\(image.width ?? 0) × \(image.height ?? 0) pixels are too many")
        }
        let size = box.fitting(width: image.width, height: image.height)
        try await permits.wait()
        defer { permits.signal() }
        var limits = ChildProgram.Limits()
        limits.output = 16 << 20
        limits.memory = Self.memoryLimit
        let (words, deadline) = (arguments(for: size), ContinuousClock.now + Self.timeLimit)
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [limits] in
                continuation.resume(
                    returning: ChildProgram.run(
                        words, environment: environment, input: image.bytes, limits: limits, until: deadline))
            }
        }
        switch result {
        case .output(let text): return try picture(text, size)
        case .failed(_, let errors): throw Failure(reason: TerminalText.line(errors))
        case .notStarted(let code): throw Failure(reason: String(cString: strerror(code)))
        case .timedOut: throw Failure(reason: "it took too long")
        }
    }

    /// The command for a picture of exactly this size, which has the picture's proportions.
    func arguments(for size: CellSize) -> [String] {
        var words = [Self.program, "--format=\(format.rawValue)", "--animate=off", "--threads=1", "--stretch"]
        if format.isGraphics {
            // In pixels: what chafa takes for a cell is a square of them.
            let columns = (size.columns * cell.width + Self.assumedCell - 1) / Self.assumedCell
            let rows = (size.rows * cell.height + Self.assumedCell - 1) / Self.assumedCell
            words += ["--font-ratio=1/1", "--size=\(columns)x\(rows)"]
        } else {
            words += ["--size=\(size.columns)x\(size.rows)", "--colors=\(colors.rawValue)"]
            if colors != .none { words.append("--symbols=vhalf") }
        }
        return words + ["-"]
    }

    private func picture(_ text: String, _ size: CellSize) throws(Failure) -> RenderedPicture {
        guard !format.isGraphics else {
            return RenderedPicture(size: size, content: .graphics(placed(text, over: size)))
        }
        var lines = text.split(separator: "\n").prefix(size.rows).map(String.init)
        guard !lines.isEmpty else { throw Failure(reason: "chafa drew nothing") }
        while lines.count < size.rows { lines.append("") }
        // Without colours, spaces at the end are left out.
        lines = lines.map { $0 + String(repeating: " ", count: max(size.columns - $0.drawnWidth, 0)) }
        return RenderedPicture(size: size, content: .lines(lines))
    }

    /// The sequence with the cells that the picture is to take, in place of those that chafa takes it for.
    private func placed(_ text: String, over size: CellSize) -> String {
        switch format {
        case .kitty:
            // The cursor stays where it is (C=1), and the terminal answers nothing (q=2).
            text.replacing(#/c=\d+,r=\d+/#, with: "c=\(size.columns),r=\(size.rows),C=1,q=2", maxReplacements: 1)
        case .iterm:
            text.replacing(
                #/width=\d+;height=\d+/#, with: "width=\(size.columns);height=\(size.rows)", maxReplacements: 1)
        case .sixels, .symbols, .auto: text
        }
    }
}

extension String {
    /// The cells that a line of chafa takes, which has narrow symbols and colours alone.
    fileprivate var drawnWidth: Int { replacing(#/\u{1b}\[[0-9;]*m/#, with: "").count }
}
