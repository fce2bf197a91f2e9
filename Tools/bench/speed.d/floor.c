/* The least that fetching can cost: recv and write, without any check.
 *
 *   floor one PORT PATH FILE                     one body into one file, in pieces of 256 KiB
 *   floor many PORT FOLDER COUNT JOBS DIRECTORY  FOLDER/f0, FOLDER/f1, ... into DIRECTORY, each body in one piece
 *   floor safe PORT FOLDER COUNT JOBS DIRECTORY  the same, with what the kernel must be asked so that no file is ever
 *                                                half there, another's, or written by two: the least for such promises
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 256 << 10 };

static int fail(const char *what) {
    perror(what);
    exit(1);
}

static int dial(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(file, (struct sockaddr *)&address, sizeof address)) fail("connect");
    return file;
}

static void ask(int file, const char *path) {
    char text[512];
    int length = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", path);
    if (send(file, text, length, MSG_NOSIGNAL) != length) fail("send");
}

/* Where the body begins, after a head that has come whole; its length. */
static char *body(char *head, size_t count, long *length) {
    char *end = memmem(head, count, "\r\n\r\n", 4);
    char *field = memmem(head, count, "Content-Length: ", 16);
    if (!end || !field) exit(1);
    *length = atol(field + 16);
    return end + 4;
}

static void writeAll(int file, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t done = write(file, bytes, count);
        if (done < 0) fail("write");
        bytes += done;
        count -= done;
    }
}

static int one(int port, const char *path, const char *name) {
    static char memory[PIECE + 1];
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0) fail(name);
    int peer = dial(port);
    ask(peer, path);
    ssize_t count = recv(peer, memory, PIECE, 0);
    if (count <= 0) fail("recv");
    long length;
    char *start = body(memory, count, &length);
    writeAll(file, start, memory + count - start);
    length -= memory + count - start;
    while (length > 0) {
        size_t filled = 0;
        while (filled < PIECE && (long)filled < length) {
            count = recv(peer, memory + filled, PIECE - filled, 0);
            if (count <= 0) fail("recv");
            filled += count;
        }
        writeAll(file, memory, filled);
        length -= filled;
    }
    return 0;
}

static void store(const char *name, const char *bytes, size_t count) {
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0) fail(name);
    writeAll(file, bytes, count);
    close(file);
}

/* Under a name of its own until it is whole, locked, and never over a file that is there. */
static void storeSafely(const char *name, const char *bytes, size_t count) {
    char part[600];
    struct stat named, opened;
    snprintf(part, sizeof part, "%s.part", name);
    if (lstat(name, &named) == 0) fail(name);
    int file = open(part, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0 || flock(file, LOCK_EX | LOCK_NB) < 0) fail(part);
    if (lstat(part, &named) < 0 || fstat(file, &opened) < 0 || named.st_ino != opened.st_ino) fail(part);
    writeAll(file, bytes, count);
    if (renameat2(AT_FDCWD, part, AT_FDCWD, name, RENAME_NOREPLACE) < 0) fail(name);
    close(file);
}

static int many(int port, const char *folder, int count, int jobs, const char *directory, int isSafe) {
    static char memory[PIECE];
    int *number = calloc(65536, sizeof *number);
    int poll = epoll_create1(0), next = 0, left = count;
    char name[512];
    for (; next < jobs && next < count; next++) {
        int peer = dial(port);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = peer};
        epoll_ctl(poll, EPOLL_CTL_ADD, peer, &event);
        number[peer] = next;
        snprintf(name, sizeof name, "%s/f%d", folder, next);
        ask(peer, name);
    }
    while (left > 0) {
        struct epoll_event events[64];
        int ready = epoll_wait(poll, events, 64, -1);
        for (int index = 0; index < ready; index++) {
            int peer = events[index].data.fd;
            ssize_t got = recv(peer, memory, sizeof memory, 0);
            if (got <= 0) fail("recv");
            long length;
            char *start = body(memory, got, &length);
            while (memory + got - start < length) {
                ssize_t more = recv(peer, memory + got, sizeof memory - got, 0);
                if (more <= 0) fail("recv");
                got += more;
            }
            snprintf(name, sizeof name, "%s/f%d", directory, number[peer]);
            (isSafe ? storeSafely : store)(name, start, length);
            left--;
            if (next == count) continue;
            number[peer] = next;
            snprintf(name, sizeof name, "%s/f%d", folder, next++);
            ask(peer, name);
        }
    }
    return 0;
}

int main(int count, char **words) {
    if (count == 5 && !strcmp(words[1], "one")) return one(atoi(words[2]), words[3], words[4]);
    int isSafe = count == 7 && !strcmp(words[1], "safe");
    if (isSafe || (count == 7 && !strcmp(words[1], "many")))
        return many(atoi(words[2]), words[3], atoi(words[4]), atoi(words[5]), words[6], isSafe);
    return 64;
}
