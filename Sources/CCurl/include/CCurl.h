#pragma once

// The typed macros hide the functions themselves.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// libcurl and the 33 libraries behind it take 5 ms to load, a quarter of a search that is answered from the cache. So they
// are loaded when the first function is called: CCurl.c defines those that are used, each a call of the library's own.

/// Loads the library; NULL, or why it cannot be loaded.
const char *ccurl_load(void);

/// The versions of the library and of those behind it, as `curl --version` names them; else why it cannot be loaded.
const char *ccurl_version(void);

// Swift cannot call variadic functions: one function for each type of an option's value.

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value);

CURLcode ccurl_set_data_callback(CURL *easy, CURLoption option, curl_write_callback value);

CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback value);

CURLcode ccurl_set_close_socket(CURL *easy, curl_closesocket_callback value);

CURLcode ccurl_set_before_request(CURL *easy, curl_prereq_callback value);

/// The bytes are not copied: they have to outlive the handle.
CURLcode ccurl_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count);

long ccurl_get_long(CURL *easy, CURLINFO info);

void *ccurl_get_private(CURL *easy);

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);

static inline const struct sockaddr *ccurl_address(const struct curl_sockaddr *address) { return &address->addr; }

/// The next transfer that has ended, or null.
CURL *ccurl_multi_next_finished(CURLM *multi, CURLcode *result);

/// Initializes the library.
CURLcode ccurl_initialize(void);
