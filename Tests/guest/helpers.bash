# shellcheck shell=bash
# What the tests in tests/ share. Each begins with: source "${0%/*}/../helpers.bash"
# They run in the guest, as root, one guest each, in a directory of the host that is kept when the test fails.
set -euo pipefail

guest=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
cd "$OUT"

# Jobs, processes and clients of the sequencer are looked up by this name, whatever the program's file is called.
mkdir /tmp/program
ln -s "$SYNTH" /tmp/program/synth
SYNTH=/tmp/program/synth

trap 'echo "failed: ${BASH_SOURCE[0]##*/} line $LINENO: $BASH_COMMAND"' ERR

fail() {
  echo "failed: $*" >&2
  exit 1
}

# A figure worth seeing also when the test passes.
measured() { echo "measured: $*"; }

# Tries a command every 10 ms until it succeeds, for 5 s.
wait_until() {
  local deadline=$((SECONDS + 5))
  until "$@"; do
    ((SECONDS <= deadline)) || fail "waited 5 s for: $*"
    sleep 0.01
  done
}

file_has() { grep -qe "$2" "$1" 2>/dev/null; }

usb_keyboard() { "$guest/usb-keyboard" "$@"; }

# Presses a key of the USB keyboard, or whatever else these MIDI bytes mean: play_usb_keyboard '90 3C 64'.
play_usb_keyboard() { amidi -p hw:kbdgadget -S "$1"; }

# Starts printing the events that arrive from a sequencer port (or at aseqdump's own, without one) into a file.
record_events() {
  local file=$1
  stdbuf -oL aseqdump ${2+-p "$2"} >"$file" 2>&1 &
  wait_until file_has "$file" '^Source'
}

# Makes a file of that many bytes, none of them zero, that never repeats itself: make_signal FILE BYTES.
make_signal() { seq 1000000000 | head -c "$2" >"$1" || true; }

# Makes a MIDI file, format 0, 480 ticks a quarter note: middle C on channel 3, at velocity 100, for a quarter note, or
# for a minute: make_song FILE [long].
make_song() {
  local length='\0203\0140' size='\015' # 480 ticks are half a second
  [ "${2-}" != long ] || length='\0203\0311\0100' size='\016'
  local head='MThd\0\0\0\6\0\0\0\1\1\0340' note="\\0\\0222\\0074\\0144$length\\0202\\0074\\0100" end='\0\0377\0057\0'
  printf '%b' "$head" "MTrk\\0\\0\\0$size" "$note" "$end" >"$1"
}

# Records what is played to the loopback card, until the test ends: record_loopback FILE FORMAT CHANNELS RATE.
record_loopback() {
  arecord -q -D hw:Loopback,1 -t raw -f "$2" -c "$3" -r "$4" "$1" 2>"$1.log" &
  wait_until file_has /proc/asound/Loopback/pcm1c/sub0/status RUNNING
}

# Prints how many zero bytes a file begins with.
leading_silence() {
  local difference
  difference=$(cmp "$1" /dev/zero 2>&1 || true)
  [[ $difference =~ byte\ ([0-9]+), ]] || fail "there is no sound in $1"
  echo $((BASH_REMATCH[1] - 1))
}

holds_bytes() { (($(stat -c %s "$1") >= $2)); }

# Waits until all has been recorded, then demands that the recording, from its first sound on, is what was played from
# its first sound on, to the bit: expect_recorded RECORDING PLAYED.
expect_recorded() {
  local before lead size
  before=$(leading_silence "$1")
  lead=$(leading_silence "$2")
  size=$(($(stat -c %s "$2") - lead))
  wait_until holds_bytes "$1" $((before + size))
  kill %arecord
  wait %arecord || true
  [[ ! -s $1.log ]] || fail "arecord: $(<"$1.log")"
  cmp -i "$before:$lead" -n "$size" "$1" "$2" || fail "the recording is not what was played"
  measured "$size bytes recorded as they were played, after $before bytes of silence"
}

# Demands that so many lines of a file, from one on, stand one after the other in another file, too:
# expect_lines FILE FIRST COUNT OTHER. Lines of samples are printed by od.
expect_lines() {
  local place
  sed -n "$2,$(($2 + $3 - 1)) p" "$1" >"$1.part"
  for place in $(grep -nxF "$(sed -n 1p "$1.part")" "$4" | cut -d: -f1); do
    sed -n "$place,$((place + $3 - 1)) p" "$4" >"$4.part"
    if cmp -s "$1.part" "$4.part"; then return; fi
  done
  fail "$3 lines of $1 from $2 on are nowhere in $4"
}
