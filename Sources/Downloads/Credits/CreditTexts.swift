/// A credit as it lies in its kept fields: whoever writes down very many makes no texts of them.
struct CreditTexts {
    let provider: KeptText?
    let id: KeptText?
    let title: KeptText?
    let author: KeptText?
    let authorURL: KeptText?
    let source: KeptText
    let page: KeptText
    let licenseID: KeptText?
    let license: KeptText?
    let licenseURL: KeptText?
    let line: KeptText
    let notice: KeptText?

    /// The texts of a credit whose fields were kept; they last no longer than the bytes.
    init(kept bytes: UnsafeBufferPointer<UInt8>) {
        var fields = KeptFields.Reader(bytes)
        provider = fields.next()
        id = fields.next()
        title = fields.next()
        author = fields.next()
        authorURL = fields.next()
        source = fields.next() ?? fields.empty
        page = fields.next() ?? fields.empty
        licenseID = fields.next()
        license = fields.next()
        licenseURL = fields.next()
        line = fields.next() ?? fields.empty
        notice = fields.next()
    }
}
