// libcurl, loaded when it is first needed: loading it costs milliseconds that an answer from a cache must not pay.
// Swift cannot call variadic functions, so options and answers have one function per type.

#pragma once

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdbool.h>
#include <sys/socket.h>

// Loads the library once; null when it can be used, otherwise what went wrong. Nothing else may be called before.
const char *ccurl_load(void);

// Has the heap of the calling thread grow once: it would grow page by page, with a call to the system for each, while the
// first hundred requests go out. Room takes no memory before it is used.
void ccurl_make_room(void);

const char *ccurl_error_text(CURLcode code);

CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *easy);
void ccurl_easy_reset(CURL *easy);
CURLcode ccurl_easy_pause(CURL *easy, int mask);

CURLcode ccurl_set_number(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value);
CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
/// The bytes have to outlive the handle.
CURLcode ccurl_share_bytes(CURL *easy, CURLoption option, const void *bytes, size_t count);
CURLcode ccurl_set_write(CURL *easy, curl_write_callback callback, void *context);
CURLcode ccurl_set_header(CURL *easy, curl_write_callback callback, void *context);
CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback callback, void *context);
CURLcode ccurl_set_close_socket(CURL *easy, curl_closesocket_callback callback, void *context);
CURLcode ccurl_set_before_request(CURL *easy, curl_prereq_callback callback, void *context);
CURLcode ccurl_allow_only_http(CURL *easy);

long ccurl_get_number(CURL *easy, CURLINFO wanted);

// Whether the connection that a request is about to go out over speaks HTTP/2, as far as OpenSSL can tell.
bool ccurl_speaks_http2(CURL *easy);

// The certificates of two files, and of a folder if there is one, for any number of connections; null where libcurl's TLS is
// not OpenSSL's, or there are none.
void *ccurl_read_certificates(const char *file, const char *extra_file, const char *folder);
void ccurl_free_certificates(void *certificates);

// Has a handle trust these certificates, which have to outlive it, and no others.
CURLcode ccurl_trust_certificates(CURL *easy, void *certificates);

void *ccurl_get_private(CURL *easy);
const struct sockaddr *ccurl_address(const struct curl_sockaddr *address);

struct curl_slist *ccurl_list_append(struct curl_slist *list, const char *line);
void ccurl_list_free(struct curl_slist *list);

CURLM *ccurl_multi_init(void);
void ccurl_multi_cleanup(CURLM *multi);
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy);
void ccurl_multi_remove(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_set_number(CURLM *multi, CURLMoption option, long value);
CURLMcode ccurl_multi_perform(CURLM *multi);
CURLMcode ccurl_multi_poll(CURLM *multi, int milliseconds);
void ccurl_multi_wakeup(CURLM *multi);

// The next transfer that has ended, or null.
CURL *ccurl_multi_next_finished(CURLM *multi, CURLcode *result);
