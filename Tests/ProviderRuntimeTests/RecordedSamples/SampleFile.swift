/// Where an entry of `media` stands in a recorded answer.
struct SampleFile: Sendable {
    /// The entry's fields by name.
    var fields: [String: SampleMapping]

    init(
        _ role: String, _ url: SampleMapping, width: SampleMapping? = nil, height: SampleMapping? = nil,
        bytes: SampleMapping? = nil, format: SampleMapping? = nil, expires: SampleMapping? = nil,
        watermarked: Bool? = nil
    ) {
        fields = ["role": SampleMapping(role), "url": url]
        fields["width"] = width
        fields["height"] = height
        fields["bytes"] = bytes
        fields["format"] = format
        fields["expires"] = expires
        fields["watermarked"] = watermarked.map { SampleMapping("\($0)") }
    }
}
