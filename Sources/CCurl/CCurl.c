#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// Every function of the library that is used. Their types are those of its own headers.
#define FUNCTIONS(F)                                                                                                   \
    F(easy_cleanup) F(easy_getinfo) F(easy_init) F(easy_pause) F(easy_setopt) F(easy_strerror) F(global_init)           \
    F(multi_add_handle) F(multi_cleanup) F(multi_info_read) F(multi_init) F(multi_perform) F(multi_poll)                \
    F(multi_remove_handle) F(multi_setopt) F(multi_wakeup) F(slist_append) F(slist_free_all) F(version)

static struct {
#define MEMBER(name) __typeof__(curl_##name) *name;
    FUNCTIONS(MEMBER)
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[256];

static void load(void) {
    void *handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(problem, sizeof problem, "%s", dlerror());
        return;
    }
#define FIND(name)                                                                                                     \
    if (!(library.name = (__typeof__(curl_##name) *)dlsym(handle, "curl_" #name)))                                     \
        snprintf(problem, sizeof problem, "libcurl.so.4 has no function curl_" #name);
    FUNCTIONS(FIND)
}

const char *ccurl_load(void) {
    pthread_once(&once, load);
    return *problem ? problem : NULL;
}

CURLcode ccurl_initialize(void) { return ccurl_load() ? CURLE_FAILED_INIT : library.global_init(CURL_GLOBAL_DEFAULT); }

const char *ccurl_version(void) { return ccurl_load() ? problem : library.version(); }

CURL *curl_easy_init(void) { return ccurl_load() ? NULL : library.easy_init(); }
void curl_easy_cleanup(CURL *easy) { library.easy_cleanup(easy); }
CURLcode curl_easy_pause(CURL *easy, int bitmask) { return library.easy_pause(easy, bitmask); }
const char *curl_easy_strerror(CURLcode code) { return ccurl_load() ? problem : library.easy_strerror(code); }
CURLM *curl_multi_init(void) { return ccurl_load() ? NULL : library.multi_init(); }
CURLMcode curl_multi_cleanup(CURLM *multi) { return library.multi_cleanup(multi); }
CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy) { return library.multi_add_handle(multi, easy); }
CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *easy) { return library.multi_remove_handle(multi, easy); }
CURLMcode curl_multi_perform(CURLM *multi, int *running) { return library.multi_perform(multi, running); }
CURLMcode curl_multi_poll(CURLM *multi, struct curl_waitfd extra[], unsigned int count, int timeout, int *number) {
    return library.multi_poll(multi, extra, count, timeout, number);
}
CURLMcode curl_multi_wakeup(CURLM *multi) { return library.multi_wakeup(multi); }
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text) {
    return ccurl_load() ? NULL : library.slist_append(list, text);
}
void curl_slist_free_all(struct curl_slist *list) { library.slist_free_all(list); }

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return library.easy_setopt(easy, option, value);
}

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return library.easy_setopt(easy, option, value);
}

CURLcode ccurl_set_data_callback(CURL *easy, CURLoption option, curl_write_callback value) {
    return library.easy_setopt(easy, option, value);
}

CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback value) {
    return library.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

CURLcode ccurl_set_close_socket(CURL *easy, curl_closesocket_callback value) {
    return library.easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, value);
}

CURLcode ccurl_set_before_request(CURL *easy, curl_prereq_callback value) {
    return library.easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

CURLcode ccurl_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_NOCOPY};
    return library.easy_setopt(easy, option, &blob);
}

long ccurl_get_long(CURL *easy, CURLINFO info) {
    long value = 0;
    library.easy_getinfo(easy, info, &value);
    return value;
}

void *ccurl_get_private(CURL *easy) {
    void *value = NULL;
    library.easy_getinfo(easy, CURLINFO_PRIVATE, &value);
    return value;
}

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return library.multi_setopt(multi, option, value);
}

/// The next transfer that has ended, or null.
CURL *ccurl_multi_next_finished(CURLM *multi, CURLcode *result) {
    int left = 0;
    for (CURLMsg *message; (message = library.multi_info_read(multi, &left));) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

