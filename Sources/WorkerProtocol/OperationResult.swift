import ProviderModel

/// The result of an operation.
package enum OperationResult: Hashable, Sendable {
    case page(Page)
    case item(Item)
    /// nil when the script left the media as it is.
    case download(Media?)
    case session(SessionResult)

    fileprivate var kind: UInt8 {
        switch self {
        case .page: 0
        case .item: 1
        case .download: 2
        case .session: 3
        }
    }

    /// Reads the JSON text of a result.
    fileprivate init(kind: UInt8, json: [UInt8]) throws(WireError) {
        do throws(ContractViolation) {
            self = try ContractReader.read(json) { reader throws(ContractViolation) in
                switch kind {
                case 0: .page(try Page(&reader))
                case 1: .item(try Item(&reader))
                case 2: .download(try reader.takeAbsent("a media entry") ? nil : try Media(&reader))
                case 3: .session(try SessionResult(&reader))
                default: throw ContractViolation("result kind \(kind)")
                }
            }
        } catch {
            throw .malformed(error.text)
        }
    }
}

/// The result of an operation with its JSON text, which crosses the process boundary and is cached: for most results the
/// text that the script's engine wrote.
///
/// The same reader checks the text on both sides. What the worker left out is not part of the text.
package struct EncodedResult: Sendable, WireValue {
    /// The result.
    package let result: OperationResult
    /// The result as it crosses the process boundary.
    package let json: [UInt8]
    /// What was left out of the result.
    package let faults: [ResultFault]

    /// The most bytes of a result.
    package static let maximumLength = 24 << 20

    /// A result that was read from this text.
    package init(_ result: OperationResult, readFrom json: [UInt8]) {
        self.result = result
        self.json = json
        faults = []
    }

    /// Encodes a result without what was left out of it.
    package init(_ result: OperationResult, without faults: [ResultFault] = []) {
        var json = JSONWriter()
        switch result {
        case .page(let page): page.write(to: &json)
        case .item(let item): json.value(item.contractJSON)
        case .download(let media?): media.write(to: &json)
        case .download(nil): json.value(JSONText.null)
        case .session(let session): session.write(to: &json)
        }
        self.result = result
        self.json = json.bytes
        self.faults = faults
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let kind = try reader.readByte()
        json = try reader.readBytes()
        guard json.count <= Self.maximumLength else { throw .malformed("a result of \(json.count) bytes") }
        result = try OperationResult(kind: kind, json: json)
        faults = try reader.read()
        guard faults.count <= ResultFault.maximumKinds else { throw .malformed("\(faults.count) kinds of faults") }
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(byte: result.kind)
        writer.write(json)
        writer.write(faults)
    }
}

extension ResultFault.Loss: WireValue {}

extension ResultFault: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let loss: Loss = try reader.read()
        let (path, message) = (try reader.read(String.self), try reader.read(String.self))
        self.init(loss: loss, path: path, message: message, count: try reader.read())
        guard max(path.count, message.count) <= Self.maximumLength, count > 0 else { throw .malformed("a fault") }
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(loss)
        writer.write(path)
        writer.write(message)
        writer.write(count)
    }
}
