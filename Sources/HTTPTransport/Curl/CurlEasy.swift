import CCurl

/// An easy handle of libcurl with typed options; freed with its last reference.
final class CurlEasy {
    /// The handle itself.
    let handle: UnsafeMutableRawPointer
    /// The error of the first option that libcurl refused.
    private(set) var refusal: CURLcode?
    private let errorText: UnsafeMutablePointer<CChar>
    private var headerLines: UnsafeMutablePointer<curl_slist>?

    /// A handle without options; nil when there is no memory for one.
    init?() {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        set(CURLOPT_ERRORBUFFER, pointer: errorText)
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(headerLines)
        errorText.deallocate()
    }

    /// libcurl's text about the last failure.
    var failureText: String { String(cString: errorText) }

    func set(_ option: CURLoption, _ value: Int) { note(ccurl_set_long(handle, option, value)) }

    func set(_ option: CURLoption, _ value: Bool) { set(option, value ? 1 : 0) }

    /// Sets a text, which libcurl copies; nil removes the default.
    func set(_ option: CURLoption, _ value: String?) {
        guard let value else { return set(option, pointer: nil) }
        value.withCString { note(ccurl_set_pointer(handle, option, $0)) }
    }

    func set(_ option: CURLoption, milliseconds duration: Duration) {
        let value = duration / .milliseconds(1)
        // 0 would mean "for ever", and the library refuses more than an int of seconds.
        set(option, Int(min(max(value, 1), 2_000_000_000)))
    }

    func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer?) {
        note(ccurl_set_pointer(handle, option, pointer))
    }

    /// Sets bytes that have to outlive the handle.
    func set(_ option: CURLoption, blob: UnsafeRawBufferPointer) {
        note(ccurl_set_blob(handle, option, blob.baseAddress, blob.count))
    }

    /// The body of the request, copied by the library.
    func setBody(_ body: [UInt8]) {
        set(CURLOPT_POSTFIELDSIZE, body.count)
        // A null pointer would mean "read it from a callback".
        (body.isEmpty ? [0] : body).withUnsafeBytes {
            note(ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress))
        }
    }

    func setHeaderLines(_ lines: [String]) {
        for line in lines { headerLines = curl_slist_append(headerLines, line) ?? headerLines }
        set(CURLOPT_HTTPHEADER, pointer: headerLines)
    }

    func number(_ info: CURLINFO) -> Int { ccurl_get_long(handle, info) }

    func note(_ code: CURLcode) {
        if code != CURLE_OK, refusal == nil { refusal = code }
    }
}
