// glibc gives the words to every constructor.
#include "CSynthProgram.h"

static int count;
static char **words;

__attribute__((constructor)) static void keep_words(int argument_count, char **arguments) {
  count = argument_count;
  words = arguments;
}

int program_word_count(void) { return count; }

const char *program_word(int index) { return words[index]; }
