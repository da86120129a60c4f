// The words of the command line. Swift's static standard library (6.3.1) may have none: the object that keeps them may
// be initialised after it was given them, which is up to the linker.
#pragma once

// How many there are, the program's name included.
int program_word_count(void);

// One of them: bytes that end with 0.
const char *program_word(int index);
