# shellcheck shell=bash
# What the tests of the output device share, beside helpers.bash.

font=$guest/../../soundfonts/synth-gm.sf2

# Prints a number's bytes, seven bits each, as MIDI files write them, for printf's %b.
variable_length() {
  local value=$1 bytes=
  bytes=$(printf '\\0%03o' $((value & 127)))
  while ((value >>= 7)); do bytes=$(printf '\\0%03o' $((value & 127 | 128)))$bytes; done
  echo "$bytes"
}

# Makes a song of that many organ notes that begin together and sound on: make_chord FILE NOTES MILLISECONDS.
make_chord() {
  local channel note track=''
  for channel in {0..7}; do track+=$(printf '\\0000\\0%03o\\0023' $((0xC0 + channel))); done
  for ((note = 0; note < $2; note++)); do
    track+=$(printf '\\0000\\0%03o\\0%03o\\0100' $((0x90 + note % 8)) $((48 + note / 8 * 3)))
  done
  # 480 ticks a quarter note at 120 quarter notes a minute.
  track+=$(variable_length $(($3 * 960 / 1000)))
  for ((note = 0; note < $2; note++)); do
    ((note == 0)) || track+='\0000'
    track+=$(printf '\\0%03o\\0%03o\\0100' $((0x80 + note % 8)) $((48 + note / 8 * 3)))
  done
  track+='\0000\0377\0057\0000'
  local size
  size=$(printf '%b' "$track" | wc -c)
  {
    printf '%b' 'MThd\0\0\0\6\0\0\0\1\1\0340MTrk'
    printf '%b' "$(printf '\\0%03o\\0%03o\\0%03o\\0%03o' 0 $((size >> 16)) $((size >> 8 & 255)) $((size & 255)))"
    printf '%b' "$track"
  } >"$1"
}

synth() { "$SYNTH" --soundfont "$font" "$@"; }
render() { "$SYNTH" render --soundfont "$font" "$@"; }

# Demands that the program ends with a status and one line: expect_end STATUS LINE ARGUMENT….
expect_end() {
  local expected=$1 line=$2 status=0 said
  shift 2
  said=$("$SYNTH" "$@" 2>&1) || status=$?
  ((status == expected)) || fail "exit status $status, not $expected, with: $said"
  [[ $said == "$line" ]] || fail "said \"$said\", not \"$line\""
}

is_open() { ! file_has "/proc/asound/$1" closed; }
is_closed() { file_has "/proc/asound/$1" closed; }
