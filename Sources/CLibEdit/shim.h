#pragma once
#include <stdio.h>
#include <editline/readline.h>

// The settings of libedit are variables that any thread could change: here they are set by functions.

/// Sets the name that a user's .editrc knows the program by, what reads a character, what finds completions, and what ends a
/// word. Signals are left to the program.
static inline void line_editor_set_up(
    const char *name, int (*get_character)(FILE *), rl_completion_func_t *complete, const char *word_ends)
{
    rl_readline_name = name;
    rl_catch_signals = 0;
    rl_getc_function = get_character;
    rl_initialize();
    rl_attempted_completion_function = complete;
    rl_basic_word_break_characters = word_ends;
}

/// Says that there are no completions but those that were found, and what follows the only one; 0 for nothing.
static inline void line_editor_complete_with(int append)
{
    rl_attempted_completion_over = 1;
    rl_completion_append_character = append;
}

/// The whole line so far.
static inline const char *line_editor_text(void) { return rl_line_buffer; }

/// Draws the line anew, in a window that may have another size, or after another program had the terminal.
static inline void line_editor_redraw(void)
{
    fputs("\r\033[J", stdout);
    fflush(stdout);
    rl_resize_terminal();
    rl_forced_update_display();
}
