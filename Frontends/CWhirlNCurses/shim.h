#pragma once
// The wide functions appear only when this is set before curses.h is read.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <wchar.h>
#include <curses.h>
#include <term.h>

// Hidden in Swift's Glibc module.
extern int wcwidth(wchar_t);
extern int memfd_create(const char *, unsigned);

static inline int whirl_width(unsigned scalar) { return wcwidth((wchar_t)scalar); }

static inline int whirl_memory_file(const char *name) { return memfd_create(name, 1 /* MFD_CLOEXEC */); }

// stdscr is a variable, which Swift 6 refuses as shared mutable state.
static inline WINDOW *whirl_window(void) { return stdscr; }

// Such as "ncurses 6.4.20221231": what runs, which may be newer than the headers.
static inline const char *whirl_curses_version(void) { return curses_version(); }

// Attributes are macros with casts, which Swift does not import.
static inline attr_t whirl_bold(void) { return A_BOLD; }
static inline attr_t whirl_dim(void) { return A_DIM; }
static inline attr_t whirl_reverse(void) { return A_REVERSE; }

// A capability's text; NULL when the terminal has none.
static inline const char *whirl_capability(const char *name) {
    char *text = tigetstr(name);
    return text == (char *)-1 ? NULL : text;
}

// Whether a terminal of that type is known (1), unknown (0), or known and without a cursor to move (-1).
// Leaves no trace: nothing is written, the terminal in force stays.
static inline int whirl_terminal_type(const char *name) {
    TERMINAL *before = set_curterm(NULL);
    int error = 0;
    int known = setupterm(name, 1, &error) == OK;
    int moves = known && whirl_capability("cup") != NULL;
    if (known) del_curterm(cur_term);
    set_curterm(before);
    return known ? (moves ? 1 : -1) : 0;
}
