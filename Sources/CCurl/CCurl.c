#include "CCurl.h"

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Every function of the library that is used, found by name.
#define FUNCTIONS(F)                                                                                                   \
    F(CURLcode, global_init_mem, (long, curl_malloc_callback, curl_free_callback, curl_realloc_callback,               \
                                  curl_strdup_callback, curl_calloc_callback))                                         \
    F(curl_version_info_data *, version_info, (CURLversion))                                                           \
    F(const char *, easy_strerror, (CURLcode))                                                                         \
    F(CURL *, easy_init, (void))                                                                                       \
    F(void, easy_cleanup, (CURL *))                                                                                    \
    F(void, easy_reset, (CURL *))                                                                                      \
    F(CURLcode, easy_pause, (CURL *, int))                                                                             \
    F(CURLcode, easy_setopt, (CURL *, CURLoption, ...))                                                                \
    F(CURLcode, easy_getinfo, (CURL *, CURLINFO, ...))                                                                 \
    F(struct curl_slist *, slist_append, (struct curl_slist *, const char *))                                          \
    F(void, slist_free_all, (struct curl_slist *))                                                                     \
    F(CURLM *, multi_init, (void))                                                                                     \
    F(CURLMcode, multi_cleanup, (CURLM *))                                                                             \
    F(CURLMcode, multi_add_handle, (CURLM *, CURL *))                                                                  \
    F(CURLMcode, multi_remove_handle, (CURLM *, CURL *))                                                               \
    F(CURLMcode, multi_setopt, (CURLM *, CURLMoption, ...))                                                            \
    F(CURLMcode, multi_perform, (CURLM *, int *))                                                                      \
    F(CURLMcode, multi_poll, (CURLM *, struct curl_waitfd *, unsigned int, int, int *))                                \
    F(CURLMcode, multi_wakeup, (CURLM *))                                                                              \
    F(CURLMsg *, multi_info_read, (CURLM *, int *))

static struct {
#define MEMBER(result, name, arguments) result(*name) arguments;
    FUNCTIONS(MEMBER)
#undef MEMBER
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[256];

// At exit OpenSSL frees what a transfer on another thread may still be using; it need not clean up at all.
static void keep_openssl_until_the_end(void *handle) {
    const uint64_t no_atexit = 0x00080000;  // OPENSSL_INIT_NO_ATEXIT
    int (*init_crypto)(uint64_t, const void *);
    *(void **)&init_crypto = dlsym(handle, "OPENSSL_init_crypto");
    if (init_crypto) init_crypto(no_atexit, NULL);
}

// Tells which protocol was agreed on in the handshake; libcurl itself tells only once the answer has begun.
static void (*selected_protocol)(const void *session, const unsigned char **name, unsigned int *length);

static struct {
    void *(*new_store)(void);
    void (*free_store)(void *store);
    int (*load)(void *store, const char *file, const char *folder);
    int (*set_flags)(void *store, unsigned long flags);
    void (*set_store)(void *context, void *store);
} certificates;

static void find_certificate_functions(void *handle) {
    // Others have functions of the same names, and not all that they do. The library's whole version says it too, but to
    // tell that of OpenLDAP it would have that one read its settings and load all that it might need.
    const char *tls = library.version_info(CURLVERSION_FIRST)->ssl_version;
    if (!tls || strncmp(tls, "OpenSSL/", 8) != 0) return;
    *(void **)&certificates.new_store = dlsym(handle, "X509_STORE_new");
    *(void **)&certificates.free_store = dlsym(handle, "X509_STORE_free");
    *(void **)&certificates.load = dlsym(handle, "X509_STORE_load_locations");
    *(void **)&certificates.set_flags = dlsym(handle, "X509_STORE_set_flags");
    *(void **)&certificates.set_store = dlsym(handle, "SSL_CTX_set1_cert_store");
}

// libcurl gets a buffer of 100 KB for each transfer and gives it back. What lies at the end of a heap would go back to
// the system every time, and come again page by page: a tenth of the time that many small files take.
static void keep_buffers(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 16 << 20);
    mallopt(M_TOP_PAD, 1 << 20);
#endif
}

void ccurl_make_room(void) {
#ifdef __GLIBC__
    // Each as large as a block can be that does not come from elsewhere.
    void *volatile first = malloc(4000 << 10), *volatile second = malloc(4000 << 10);
    free(second);
    free(first);
#endif
}

// Those of transfers that have ended, for the next: the system's allocator puts all that is free together whenever it
// gives or takes something so large.
static _Atomic(void *) buffers[32];
static const size_t shortest_buffer = 64 << 10, buffer_length = 128 << 10;

static void *take_memory(size_t length) {
    if (length < shortest_buffer || length > buffer_length) return malloc(length);
    for (size_t place = 0; place < sizeof buffers / sizeof *buffers; place++) {
        if (!atomic_load_explicit(&buffers[place], memory_order_relaxed)) continue;
        void *buffer = atomic_exchange(&buffers[place], NULL);
        if (buffer) return buffer;
    }
    return malloc(buffer_length);
}

static void give_back(void *memory) {
    size_t length = memory ? malloc_usable_size(memory) : 0;
    if (length >= buffer_length && length < buffer_length + shortest_buffer) {
        for (size_t place = 0; place < sizeof buffers / sizeof *buffers; place++) {
            void *none = NULL;
            if (atomic_compare_exchange_strong(&buffers[place], &none, memory)) return;
        }
    }
    free(memory);
}

static void load(void) {
    keep_buffers();
    void *handle = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
    if (!handle) {
        snprintf(problem, sizeof problem, "libcurl.so.4 was not found; install libcurl4");
        return;
    }
#define FIND(result, name, arguments)                                                                                  \
    *(void **)&library.name = dlsym(handle, "curl_" #name);                                                            \
    if (!library.name) {                                                                                               \
        snprintf(problem, sizeof problem, "libcurl.so.4 has no curl_%s; libcurl 7.68 or newer is needed", #name);      \
        return;                                                                                                        \
    }
    FUNCTIONS(FIND)
#undef FIND
    keep_openssl_until_the_end(handle);
    *(void **)&selected_protocol = dlsym(handle, "SSL_get0_alpn_selected");
    find_certificate_functions(handle);
    CURLcode code = library.global_init_mem(CURL_GLOBAL_DEFAULT, take_memory, give_back, realloc, strdup, calloc);
    if (code) snprintf(problem, sizeof problem, "libcurl did not start: %s", library.easy_strerror(code));
}

const char *ccurl_load(void) {
    pthread_once(&once, load);
    return problem[0] ? problem : NULL;
}

const char *ccurl_error_text(CURLcode code) { return library.easy_strerror(code); }

CURL *ccurl_easy_init(void) { return library.easy_init(); }
void ccurl_easy_cleanup(CURL *easy) { library.easy_cleanup(easy); }
void ccurl_easy_reset(CURL *easy) { library.easy_reset(easy); }
CURLcode ccurl_easy_pause(CURL *easy, int mask) { return library.easy_pause(easy, mask); }

CURLcode ccurl_set_number(CURL *easy, CURLoption option, long value) {
    return library.easy_setopt(easy, option, value);
}

CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return library.easy_setopt(easy, option, value);
}

CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return library.easy_setopt(easy, option, value);
}

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return library.easy_setopt(easy, option, value);
}

CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return library.easy_setopt(easy, option, value);
}

CURLcode ccurl_share_bytes(CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_NOCOPY};
    return library.easy_setopt(easy, option, &blob);
}

CURLcode ccurl_set_write(CURL *easy, curl_write_callback callback, void *context) {
    CURLcode code = library.easy_setopt(easy, CURLOPT_WRITEFUNCTION, callback);
    return code ? code : library.easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

CURLcode ccurl_set_header(CURL *easy, curl_write_callback callback, void *context) {
    CURLcode code = library.easy_setopt(easy, CURLOPT_HEADERFUNCTION, callback);
    return code ? code : library.easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback callback, void *context) {
    CURLcode code = library.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
    return code ? code : library.easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}

CURLcode ccurl_set_close_socket(CURL *easy, curl_closesocket_callback callback, void *context) {
    CURLcode code = library.easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callback);
    return code ? code : library.easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
}

CURLcode ccurl_set_before_request(CURL *easy, curl_prereq_callback callback, void *context) {
    CURLcode code = library.easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
    return code ? code : library.easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

// The text form came with 7.85, the number form leaves with 9.
CURLcode ccurl_allow_only_http(CURL *easy) {
    if (library.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK) return CURLE_OK;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    return library.easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#pragma clang diagnostic pop
}

long ccurl_get_number(CURL *easy, CURLINFO wanted) {
    long value = 0;
    library.easy_getinfo(easy, wanted, &value);
    return value;
}

bool ccurl_speaks_http2(CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (!selected_protocol || library.easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK) return false;
    if (!session || session->backend != CURLSSLBACKEND_OPENSSL || !session->internals) return false;
    const unsigned char *name = NULL;
    unsigned int length = 0;
    selected_protocol(session->internals, &name, &length);
    return length == 2 && name[0] == 'h' && name[1] == '2';
}

void *ccurl_read_certificates(const char *file, const char *extra_file, const char *folder) {
    if (!certificates.new_store || !certificates.free_store || !certificates.load || !certificates.set_flags ||
        !certificates.set_store)
        return NULL;
    void *store = certificates.new_store();
    if (!store) return NULL;
    // As libcurl has it: X509_V_FLAG_TRUSTED_FIRST, and X509_V_FLAG_PARTIAL_CHAIN for a server's own certificate.
    if (certificates.set_flags(store, 0x8000 | 0x80000) && certificates.load(store, file, NULL) &&
        certificates.load(store, extra_file, NULL) && (!folder || certificates.load(store, NULL, folder)))
        return store;
    certificates.free_store(store);
    return NULL;
}

void ccurl_free_certificates(void *store) { certificates.free_store(store); }

static CURLcode use_certificates(CURL *easy, void *context, void *store) {
    certificates.set_store(context, store);
    return CURLE_OK;
}

CURLcode ccurl_trust_certificates(CURL *easy, void *store) {
    CURLcode code = library.easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, use_certificates);
    return code ? code : library.easy_setopt(easy, CURLOPT_SSL_CTX_DATA, store);
}

void *ccurl_get_private(CURL *easy) {
    char *value = NULL;
    library.easy_getinfo(easy, CURLINFO_PRIVATE, &value);
    return value;
}

const struct sockaddr *ccurl_address(const struct curl_sockaddr *address) { return &address->addr; }

struct curl_slist *ccurl_list_append(struct curl_slist *list, const char *line) {
    return library.slist_append(list, line);
}

void ccurl_list_free(struct curl_slist *list) { library.slist_free_all(list); }

CURLM *ccurl_multi_init(void) { return library.multi_init(); }
void ccurl_multi_cleanup(CURLM *multi) { library.multi_cleanup(multi); }
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy) { return library.multi_add_handle(multi, easy); }
void ccurl_multi_remove(CURLM *multi, CURL *easy) { library.multi_remove_handle(multi, easy); }

CURLMcode ccurl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return library.multi_setopt(multi, option, value);
}

CURLMcode ccurl_multi_perform(CURLM *multi) {
    int running = 0;
    return library.multi_perform(multi, &running);
}

CURLMcode ccurl_multi_poll(CURLM *multi, int milliseconds) {
    return library.multi_poll(multi, NULL, 0, milliseconds, NULL);
}

void ccurl_multi_wakeup(CURLM *multi) { library.multi_wakeup(multi); }

CURL *ccurl_multi_next_finished(CURLM *multi, CURLcode *result) {
    int left = 0;
    for (CURLMsg *message; (message = library.multi_info_read(multi, &left));) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
