import ProviderModel

extension ProviderManifest: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let idText = try reader.readString()
        guard let id = ProviderID(idText) else { throw .malformed("provider id \(idText.quoted)") }
        let name = try reader.readString()
        self.init(id: id, name: name, version: try reader.readString())
        homepage = try reader.readOptional()
        summary = try reader.readOptionalString()
        base = try reader.readOptional()
        instance = try reader.readOptional()
        hosts = try reader.readArray()
        mediaHosts = try reader.readArray()
        authentication = try reader.readArray()
        limits = try reader.read()
        terms = try reader.read()
        paging = try reader.readChoice()
        operations = try reader.readArray()
        matches = try reader.readArray()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(id.description)
        writer.write(name)
        writer.write(version)
        writer.write(homepage)
        writer.write(summary)
        writer.write(base)
        writer.write(instance)
        writer.write(hosts)
        writer.write(mediaHosts)
        writer.write(authentication)
        writer.write(limits)
        writer.write(terms)
        writer.write(paging)
        writer.write(operations)
        writer.write(matches)
    }
}

extension Instance: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        self.init(standard: try reader.readOptional())
        help = try reader.readOptionalString()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(standard)
        writer.write(help)
    }
}

extension HostPattern: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let text = try reader.readString()
        guard let pattern = HostPattern(text) else { throw .malformed("host pattern \(text.quoted)") }
        self = pattern
    }

    package func write(to writer: inout ByteWriter) { writer.write(description) }
}

extension PageMatch: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let pattern = try reader.readString()
        let id = try reader.readString()
        self.init(pattern: pattern, id: id, type: try reader.readChoice())
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(pattern)
        writer.write(id)
        writer.write(type)
    }
}

extension OperationDescription: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let operation = try reader.readChoice(Operation.self)
        let parameters = try reader.readArray(of: ParameterDescription.self)
        let takesPoint = try reader.readBool()
        let location = try reader.read(SourceLocation.self)
        let requestLocation = try reader.readOptional(SourceLocation.self)
        self.init(
            operation: operation, parameters: parameters, takesPoint: takesPoint, location: location,
            requestLocation: requestLocation, isGenerator: try reader.readBool())
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(operation)
        writer.write(parameters)
        writer.write(takesPoint)
        writer.write(location)
        writer.write(requestLocation)
        writer.write(isGenerator)
    }
}

extension ParameterDescription: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let name = try reader.readString()
        self.init(name: name, kind: try reader.readChoice())
        values = try reader.readStrings()
        minimum = try reader.readOptionalDouble()
        maximum = try reader.readOptionalDouble()
        standard = try reader.readOptionalString()
        separator = try reader.readOptionalString()
        help = try reader.readOptionalString()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(name)
        writer.write(kind)
        writer.write(values)
        writer.write(minimum)
        writer.write(maximum)
        writer.write(standard)
        writer.write(separator)
        writer.write(help)
    }
}

extension AuthenticationMethod: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        self.init(placement: try reader.read())
        isOptional = try reader.readBool()
        help = try reader.readOptionalString()
        limits = try reader.readOptional()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(placement)
        writer.write(isOptional)
        writer.write(help)
        writer.write(limits)
    }
}

extension AuthenticationMethod.Placement: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.readByte() {
        case 0: self = .query(try reader.readArray())
        case 1: self = .header(try reader.readArray())
        case 2: self = .cookie(try reader.readArray())
        case 3:
            let user = try reader.readString()
            self = .basic(user: user, password: try reader.readString())
        case 4:
            let token = try reader.read(WebURL.self)
            self = .oauth2(token: token, scope: try reader.readOptionalString())
        case let kind: throw .malformed("authentication kind \(kind)")
        }
    }

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .query(let pairs):
            writer.write(UInt8(0))
            writer.write(pairs)
        case .header(let pairs):
            writer.write(UInt8(1))
            writer.write(pairs)
        case .cookie(let pairs):
            writer.write(UInt8(2))
            writer.write(pairs)
        case .basic(let user, let password):
            writer.write(UInt8(3))
            writer.write(user)
            writer.write(password)
        case .oauth2(let token, let scope):
            writer.write(UInt8(4))
            writer.write(token)
            writer.write(scope)
        }
    }
}
