import Foundation

/// Pictures as encoders write them, of 40 × 30 pixels where nothing else is said.
enum CodedImages {
    /// A sequential JPEG with marks to restart at after each second unit.
    static let sequential = bytes(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71////m8H/\
        ///6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj/wAAR\
        CAAeACgDASIAAhEBAxEB/8QAGQABAQEBAQEAAAAAAAAAAAAAAwACAQQF/8QAGxAAAwADAQEAAAAAAAAAAAAAAAECAxFBMSH/xAAYAQEAAwEA\
        AAAAAAAAAAAAAAAEAQMFAv/EABwRAAICAgMAAAAAAAAAAAAAAAABAgMSIRExUf/dAAQAAv/aAAwDAQACEQMRAD8A+fCHhAwh4Q+0mKGhDwgY\
        Qyek2+GdaWpH/9DeattQufWQabqm36yCvQabzk2eOEPCBgeDXtHRR//R7CLNWpUrvp2AqbrJW+PRzLbLLnjDj01CI1BBpdg0j//Z
        """)

    static let progressive = bytes(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71////m8H/\
        ///6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj/wgAR\
        CAAeACgDASIAAhEBAxEB/8QAGAABAQEBAQAAAAAAAAAAAAAAAgABAwT/xAAXAQEBAQEAAAAAAAAAAAAAAAADBAAC/9oADAMBAAIQAxAAAAHz\
        sdHzYc/eRjn49A63doDbbEP/xAAYEAACAwAAAAAAAAAAAAAAAAABIAAwQf/aAAgBAQABBQJDSV2f/8QAGBEBAAMBAAAAAAAAAAAAAAAAAQAQ\
        IQL/2gAIAQMBAT8BKdYTvCv/xAAXEQEBAQEAAAAAAAAAAAAAAAAAAgEQ/9oACAECAQE/AaVymtf/xAAUEAEAAAAAAAAAAAAAAAAAAABA/9oA\
        CAEBAAY/Aif/xAAaEAEBAAIDAAAAAAAAAAAAAAABABAhETFB/9oACAEBAAE/ISIifkRGO2IieuIiInai/9oADAMBAAIAAwAAABBtz2fT7//E\
        ABgRAQEAAwAAAAAAAAAAAAAAAAEAESFR/9oACAEDAQE/EBBPMwlp7Bf/xAAYEQADAQEAAAAAAAAAAAAAAAAAARAhMf/aAAgBAgEBPxCbydM6\
        P//EABsQAQEAAgMBAAAAAAAAAAAAAAEAEUEQIDEh/9oACAEBAAE/EDGMbIh19YxjDgV1CovrGMbABv2PTpyNOOP/2Q==
        """)

    /// A JPEG XL codestream of 300 × 40 pixels, which lie in two groups, each a section of its own.
    static let codestream = bytes(
        """
        /wo4AVaCSAgEAQBEAksoo9ymkwmFg63CwXcKCgoJiCgwEDcu7oEYiMFL4hRGxWARuAigAHB6Qwgo9oRU9/////////////////////////////\
        ///////////4IPEO//ife/b5Pvde117XXtde117XV9dn0aClNsVEMx+HLeDZpWin4lEoWMGzkBaSHoJwIQsiaQAtKYQcpYfuicoBI=
        """)

    private static func bytes(_ text: String) -> [UInt8] { Data(base64Encoded: text).map(Array.init) ?? [] }
}
