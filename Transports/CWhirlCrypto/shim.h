#pragma once
/* Else the types of <pthread.h>, which OpenSSL includes, count as this module's and not as Glibc's. */
#pragma clang module import SwiftGlibc
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/sha.h>

/* The SHA-256 of a text: EVP would first load libcrypto's configuration and providers, which takes longer than a small file. */
static inline void whirl_sha256(const void *bytes, size_t count, unsigned char digest[SHA256_DIGEST_LENGTH]) {
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, bytes, count);
    SHA256_Final(digest, &context);
}

/* Calls that the Glibc module hides: extended attributes, kinds of file systems, rename unless the new name exists, and the
   beginning of a sync. */
#include <sys/vfs.h>
#include <sys/xattr.h>
extern int renameat2(int, const char *, int, const char *, unsigned int);
static const unsigned int WHIRL_RENAME_NOREPLACE = 1;
extern int sync_file_range(int, __off64_t, __off64_t, unsigned int);
static const unsigned int WHIRL_SYNC_FILE_RANGE_WRITE = 2;
static const __fsword_t WHIRL_TMPFS = 0x01021994, WHIRL_RAMFS = 0x858458f6;
