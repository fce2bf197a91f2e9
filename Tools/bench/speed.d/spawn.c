/* spawn PROGRAM ARGUMENT...: runs it and writes what it took to descriptor 3, as one JSON object.
 *
 * A program of its own, as a child's peak of memory begins with that of whoever started it. */
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>

extern char **environ;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

int main(int count, char **words) {
    if (count < 2) return 64;
    fcntl(3, F_SETFD, FD_CLOEXEC);
    double began = now();
    pid_t child;
    int failure = posix_spawnp(&child, words[1], NULL, NULL, words + 1, environ);
    if (failure) {
        fprintf(stderr, "spawn: %s: %s\n", words[1], strerror(failure));
        return 127;
    }
    int status;
    struct rusage usage;
    while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {}
    dprintf(3, "{\"wall\":%.6f,\"cpu\":%.6f,\"peak\":%ld,\"exit\":%d}\n", now() - began,
            seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss * 1024L,
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return 0;
}
