#pragma once
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <wchar.h>
#include <curses.h>
