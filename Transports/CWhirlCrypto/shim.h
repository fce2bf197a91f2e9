#pragma once
#include <openssl/evp.h>
#include <openssl/sha.h>

/* A GNU call that the Glibc module hides: rename, unless the new name exists. */
extern int renameat2(int, const char *, int, const char *, unsigned int);
static const unsigned int WHIRL_RENAME_NOREPLACE = 1;
