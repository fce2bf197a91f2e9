#pragma once
#include <curl/curl.h>

// Swift cannot call variadic functions: one typed wrapper for each kind of argument that Whirl passes.

#pragma clang assume_nonnull begin

static inline CURLcode whirl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode whirl_set_string(CURL *handle, CURLoption option, const char *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode whirl_set_pointer(CURL *handle, CURLoption option, void *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode whirl_set_list(CURL *handle, CURLoption option, struct curl_slist *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*whirl_data_function)(char *_Nullable, size_t, size_t, void *_Nullable);
static inline CURLcode whirl_set_data_function(CURL *handle, CURLoption option, whirl_data_function value) {
    return curl_easy_setopt(handle, option, value);
}
typedef int (*whirl_resolver_function)(void *_Nullable, void *_Nullable, void *_Nullable);
static inline CURLcode whirl_set_resolver_function(CURL *handle, whirl_resolver_function value) {
    return curl_easy_setopt(handle, CURLOPT_RESOLVER_START_FUNCTION, value);
}
typedef int (*whirl_socket_function)(void *_Nullable, curl_socket_t, curlsocktype);
static inline CURLcode whirl_set_socket_function(CURL *handle, whirl_socket_function value) {
    return curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, value);
}
typedef CURLcode (*whirl_tls_function)(CURL *_Nullable, void *_Nullable, void *_Nullable);
static inline CURLcode whirl_set_tls_function(CURL *handle, whirl_tls_function value) {
    return curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, value);
}
typedef int (*whirl_request_function)(void *_Nullable, char *_Nullable, char *_Nullable, int, int);
static inline CURLcode whirl_set_request_function(CURL *handle, whirl_request_function value) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode whirl_get_pointer(CURL *handle, CURLINFO info, void *_Nullable *_Nonnull value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode whirl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode whirl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode whirl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// The macro for the newest structure is an alias that Swift does not import.
static inline curl_version_info_data *_Nullable whirl_version(void) { return curl_version_info(CURLVERSION_NOW); }

#pragma clang assume_nonnull end
