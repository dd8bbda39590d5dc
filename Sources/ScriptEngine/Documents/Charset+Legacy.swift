import CLibXML2

extension Charset {
    /// The labels, beside its name, that the Encoding Standard gives an encoding; those seen in practice.
    static let legacyLabels = [
        "cp866": "ibm866", "866": "ibm866",
        "latin2": "iso-8859-2", "l2": "iso-8859-2", "iso8859-2": "iso-8859-2", "iso_8859-2": "iso-8859-2",
        "latin3": "iso-8859-3", "latin4": "iso-8859-4", "cyrillic": "iso-8859-5", "iso8859-5": "iso-8859-5",
        "arabic": "iso-8859-6", "greek": "iso-8859-7", "iso8859-7": "iso-8859-7", "hebrew": "iso-8859-8",
        "iso-8859-8-i": "iso-8859-8", "latin6": "iso-8859-10", "latin9": "iso-8859-15", "iso8859-15": "iso-8859-15",
        "koi8": "koi8-r", "koi": "koi8-r", "koi8-ru": "koi8-u", "mac": "macintosh", "x-mac-roman": "macintosh",
        "iso-8859-11": "windows-874", "tis-620": "windows-874", "cp1250": "windows-1250", "cp1251": "windows-1251",
        "cp1253": "windows-1253", "cp1254": "windows-1254", "iso-8859-9": "windows-1254", "latin5": "windows-1254",
        "iso8859-9": "windows-1254", "cp1255": "windows-1255", "cp1256": "windows-1256", "cp1257": "windows-1257",
        "cp1258": "windows-1258",
        "gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030", "gb_2312-80": "gb18030", "chinese": "gb18030",
        "big5-hkscs": "big5", "cn-big5": "big5", "x-x-big5": "big5", "x-euc-jp": "euc-jp",
        "shift-jis": "shift_jis", "sjis": "shift_jis", "x-sjis": "shift_jis", "ms_kanji": "shift_jis",
        "windows-31j": "shift_jis",
        "ks_c_5601-1987": "euc-kr", "korean": "euc-kr", "windows-949": "euc-kr",
    ]

    /// The name to ask libxml2 for, by an encoding's name.
    ///
    /// libxml2 asks iconv before ICU, and glibc's iconv opens a shared library for each encoding, which a sandboxed worker
    /// may not. So this asks by names that only ICU knows: its tables are all in libicudata, loaded with libxml2 (measured:
    /// no file is opened). Where libxml2 is built without ICU, iconv's libraries are opened here, and kept.
    static let converterNames: [String: String] = {
        if xmlConvertsByICU() != 0 { return converters.mapValues(\.icu) }
        // An open handler, never closed, keeps its library loaded.
        return converters.mapValues(\.iconv).filter { xmlFindCharEncodingHandler($0.value) != nil }
    }()

    private static let converters: [String: (icu: String, iconv: String)] = [
        "ibm866": ("ibm-866_P100-1995", "ibm866"),
        "iso-8859-2": ("ibm-912_P100-1995", "iso-8859-2"),
        "iso-8859-3": ("ibm-913_P100-2000", "iso-8859-3"),
        "iso-8859-4": ("ibm-914_P100-1995", "iso-8859-4"),
        "iso-8859-5": ("ibm-915_P100-1995", "iso-8859-5"),
        "iso-8859-6": ("ibm-1089_P100-1995", "iso-8859-6"),
        "iso-8859-7": ("ibm-9005_X110-2007", "iso-8859-7"),
        "iso-8859-8": ("ibm-5012_P100-1999", "iso-8859-8"),
        "iso-8859-10": ("iso-8859_10-1998", "iso-8859-10"),
        "iso-8859-13": ("ibm-921_P100-1995", "iso-8859-13"),
        "iso-8859-14": ("iso-8859_14-1998", "iso-8859-14"),
        "iso-8859-15": ("ibm-923_P100-1998", "iso-8859-15"),
        "koi8-r": ("ibm-878_P100-1996", "koi8-r"),
        "koi8-u": ("ibm-1168_P100-2002", "koi8-u"),
        "macintosh": ("macos-0_2-10.2", "macintosh"),
        "x-mac-cyrillic": ("macos-7_3-10.2", "mac-cyrillic"),
        "windows-874": ("windows-874-2000", "tis-620"),
        "windows-1250": ("ibm-5346_P100-1998", "windows-1250"),
        "windows-1251": ("ibm-5347_P100-1998", "windows-1251"),
        "windows-1253": ("ibm-5349_P100-1998", "windows-1253"),
        "windows-1254": ("ibm-5350_P100-1998", "windows-1254"),
        "windows-1255": ("ibm-9447_P100-2002", "windows-1255"),
        "windows-1256": ("ibm-9448_X100-2005", "windows-1256"),
        "windows-1257": ("ibm-9449_P100-2002", "windows-1257"),
        "windows-1258": ("ibm-5354_P100-1998", "windows-1258"),
        "gb18030": ("windows-54936", "gb18030"),
        "big5": ("ibm-1375_P100-2008", "big5-hkscs"),
        "euc-jp": ("euc-jp-2007", "euc-jp"),
        "iso-2022-jp": ("ISO_2022,locale=ja,version=0", "iso-2022-jp"),
        "shift_jis": ("ibm-943_P15A-2003", "windows-31j"),
        "euc-kr": ("windows-949-2000", "uhc"),
    ]
}
