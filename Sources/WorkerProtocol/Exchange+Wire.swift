import ProviderModel

extension ProviderRequest: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        self.init(url: try reader.read())
        method = try reader.readChoice()
        headers = try reader.readArray()
        body = try reader.readOptional()
        format = try reader.readChoice()
        usesCredentials = try reader.readBool()
        let count = try reader.readCount()
        for _ in 0..<count { allowedStatus.append(try reader.readInt()) }
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(url)
        writer.write(method)
        writer.write(headers)
        writer.write(body)
        writer.write(format)
        writer.write(usesCredentials)
        writer.write(UInt64(allowedStatus.count))
        for status in allowedStatus { writer.write(status) }
    }
}

extension ProviderRequest.Body: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.readByte() {
        case 0: self = .json(try reader.read())
        case 1: self = .form(try reader.readArray())
        case 2: self = .text(try reader.readString())
        case let kind: throw .malformed("body kind \(kind)")
        }
    }

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .json(let json):
            writer.write(UInt8(0))
            writer.write(json)
        case .form(let fields):
            writer.write(UInt8(1))
            writer.write(fields)
        case .text(let text):
            writer.write(UInt8(2))
            writer.write(text)
        }
    }
}

extension ProviderResponse: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let status = try reader.readInt()
        self.init(status: status, url: try reader.read())
        headers = try reader.readArray()
        body = try reader.readBytes()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(status)
        writer.write(url)
        writer.write(headers)
        writer.write(body)
    }
}

extension ProviderError: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        try self.init(aloneFrom: &reader)
        let count = try reader.readCount()
        for _ in 0..<count { others.append(try ProviderError(aloneFrom: &reader)) }
    }

    package func write(to writer: inout ByteWriter) {
        writeAlone(to: &writer)
        writer.write(UInt64(others.count))
        for other in others { other.writeAlone(to: &writer) }
    }

    /// Without others, which have none: no message leads to others of others without end.
    private init(aloneFrom reader: inout ByteReader) throws(WireError) {
        let code = try reader.readChoice(Code.self)
        self.init(code, provider: "", message: try reader.readString())
        operation = try reader.readOptionalChoice()
        phase = try reader.readOptionalString()
        location = try reader.readOptional()
        path = try reader.readOptionalString()
        hint = try reader.readOptionalString()
    }

    private func writeAlone(to writer: inout ByteWriter) {
        writer.write(code)
        writer.write(message)
        writer.write(operation)
        writer.write(phase)
        writer.write(location)
        writer.write(path)
        writer.write(hint)
    }
}
