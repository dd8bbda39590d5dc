import FoundationEssentials
import ProviderModel

/// The health of many sources, as one machine has found it and others read it.
package struct StatusReport: Codable, Hashable, Sendable {
    /// The version of the format that this program reads and writes.
    package static let formatVersion = 1
    /// The longest report that is read.
    package static let sizeLimit = 4 << 20

    /// The version of its format.
    package var format = Self.formatVersion
    /// When it was written: `2026-11-28T04:00:00Z`.
    package var made: String
    /// The sources by the ids of their providers.
    package var providers: [String: SourceStatus]

    /// A report.
    package init(made: DateTime, providers: [String: SourceStatus] = [:]) {
        self.made = made.iso8601
        self.providers = providers
    }

    /// Reads a report; `name` is its path or address in errors.
    package init(_ bytes: [UInt8], of name: String) throws(ProviderError) {
        do {
            let data = Data(bytes)
            let format = try JSONDecoder().decode(Format.self, from: data).format
            // First: the rest may differ in another format.
            guard format == Self.formatVersion else {
                throw Self.invalid(name, "format \(format) (expected \(Self.formatVersion))")
            }
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch let error as ProviderError { throw error } catch {
            throw Self.invalid(name, "it is not the JSON of imgscript providers status")
        }
        guard DateTime(iso8601: made) != nil else {
            throw Self.invalid(name, "made is \(made.quoted) (expected a time)")
        }
    }

    /// The report as it is written: sorted, one value a line.
    package var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try JSONValue(parsing: encoder.encode(self)).pretty + "\n"
        }
    }

    private struct Format: Decodable { let format: Int }

    private static func invalid(_ name: String, _ reason: String) -> ProviderError {
        ProviderError(.file, provider: "", message: "\(name) is not a valid status: \(reason)")
    }
}

/// A break of an installed provider, as users read of it.
package struct KnownBreak: Hashable, Sendable, CustomStringConvertible {
    /// The break.
    package let fault: SourceStatus.Break
    private let year: Int?

    /// A break that a report of a year names.
    init(_ fault: SourceStatus.Break, reportedIn year: Int?) {
        self.fault = fault
        self.year = year
    }

    /// The pack whose update mends it; nil where none is known to.
    package var pack: String? { fault.mended?.pack }

    /// `broken since 3 Sept, mended in core 1.4.0`; with the parts where only some are broken.
    package var description: String {
        let parts = fault.isWhole ? "" : "\(fault.parts.map(\.description).joined(separator: ", ")) "
        return "\(parts)broken since \(day)\(fault.mended.map { ", mended in \($0)" } ?? "")"
    }

    private static let months = [
        "Jan", "Feb", "March", "April", "May", "June", "July", "Aug", "Sept", "Oct", "Nov", "Dec",
    ]

    /// `3 Sept`, with the year where it is not that of the report.
    private var day: String {
        guard let date = CalendarDay(fault.since)?.date else { return fault.since }
        return "\(date.day) \(Self.months[date.month - 1])\(date.year == year ? "" : " \(date.year)")"
    }
}
