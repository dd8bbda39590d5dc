#ifndef CLIBXML2_SHIM_H
#define CLIBXML2_SHIM_H

// encoding.h would include ICU's headers, and a file that also imports Foundation, which has its own ICU, would not
// compile. What they add is the end of a structure that is only ever held by pointer.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/encoding.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

/// The library's version, such as "20914-GITv2.9.14": a global variable, which Swift takes for one that changes.
static inline const char *xmlLibraryVersion(void) { return xmlParserVersion; }

// A variadic callback cannot be written in Swift.
static inline void xmlIgnoreMessage(void *context, const char *message, ...) {
    (void)context;
    (void)message;
}

/// Keeps libxml2 from writing to standard error on the calling thread.
static inline void xmlSilenceThread(void) {
    xmlSetGenericErrorFunc(NULL, xmlIgnoreMessage);
}

/// Whether encodings are converted by ICU, when iconv does not know their names.
static inline int xmlConvertsByICU(void) { return xmlHasFeature(XML_WITH_ICU); }

/// Sets how deeply elements may nest, and returns how deeply they may: Swift 6 cannot write a C global, and from 2.14 on the
/// library has a limit of its own, a macro.
static inline unsigned int xmlLimitDepth(unsigned int levels) {
#ifndef xmlParserMaxDepth
    xmlParserMaxDepth = levels;
#endif
    return xmlParserMaxDepth;
}

/// Ends a function of XPath with a number, by a macro that Swift cannot use.
static inline void xmlXPathEndWithNumber(xmlXPathParserContextPtr parser, double number) {
    xmlXPathReturnNumber(parser, number);
}

#endif
