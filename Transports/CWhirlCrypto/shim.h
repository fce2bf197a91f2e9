#pragma once
/* Else the types of <pthread.h>, which OpenSSL includes, count as this module's and not as Glibc's. */
#pragma clang module import SwiftGlibc
#include <openssl/evp.h>
#include <openssl/sha.h>

/* Calls that the Glibc module hides: extended attributes, and rename unless the new name exists. */
#include <sys/xattr.h>
extern int renameat2(int, const char *, int, const char *, unsigned int);
static const unsigned int WHIRL_RENAME_NOREPLACE = 1;
