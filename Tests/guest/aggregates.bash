# shellcheck shell=bash
# What the tests of several devices as one share: cards A and B, B's clock off by some ppm.
# Each begins with: source "${0%/*}/../aggregates.bash"
source "${BASH_SOURCE[0]%/*}/playing.bash"
modprobe snd-aloop enable=1,1 index=0,1 id=A,B

# Makes card B take that many hundred-thousandths of the time it should for a frame, before it is opened. The driver
# counts in thousandths of a byte and rounds when a period ends, and whenever two sides of a cable meet: its clock then
# wanders by some frames, several ppm of a minute. It does not with periods of 320 frames and nobody who records: so what
# the card is given goes into a file on its way, card_with_copy CARD.
# The control of device 0 is that of what plays on device 1.
set_clock() { amixer -q -c B cset "iface=PCM,name='PCM Rate Shift 100000',device=1" "$1"; }
card_with_copy() { echo "tee:'hw:CARD=$1,DEV=0',$1.raw,raw"; }

# Records two channels of float samples of a card, until the test ends: record_card CARD.
record_card() {
  arecord -q -D "hw:CARD=$1,DEV=1" -t raw -f FLOAT_LE -c 2 -r 48000 "$1.raw" 2>"$1.log" &
  recorders+=($!)
  wait_until file_has "/proc/asound/$1/pcm1c/sub0/status" RUNNING
}
recorders=()

end_recording() {
  sleep 1 # arecord writes its file with a delay of one of its periods
  kill "${recorders[@]}"
  wait "${recorders[@]}" || true
  [[ ! -s A.log && ! -s B.log ]] || fail "arecord: $(cat A.log B.log)"
}

# Recordings and copies are of two channels, as float samples.

# Demands that a channel of a recording is silent, in its first twenty seconds: expect_silence FILE CHANNEL.
expect_silence() {
  od -An -v -t f4 -w8 -N 7680000 "$1" | awk -v channel="$2" '$channel != 0 { exit 1 }' || fail "channel $2 of $1 is not silent"
}

# Compares channel 1 of A.raw with channel 2 of B.raw once a second, from second to second: prints the second, and how many
# frames later than at a constant delay the sound is in B. By least squares, with the slope of B's samples for parts of a
# frame: compare_recordings CLOCK FIRST LAST, the clock as with set_clock.
compare_recordings() {
  local a b
  a=$(($(leading_silence A.raw) / 8))
  b=$(($(leading_silence B.raw) / 8))
  awk -v clock="$1" -v first="$2" -v last="$3" -v a="$a" -v b="$b" '
    function take(file, frame, count, channel, into,    line, i, command) {
      command = "od -An -v -t f4 -w8 -j " frame * 8 " -N " count * 8 " " file
      for (i = 0; (command | getline line) > 0; i++) { split(line, part); into[i] = part[channel] }
      close(command)
      return i
    }
    # The sum of squares at a whole shift.
    function difference(shift,    i, sum, one) {
      sum = 0
      for (i = 0; i < size; i++) { one = y[i + margin + shift] - x[i]; sum += one * one }
      return sum
    }
    BEGIN {
      size = 512; margin = 120; reach = 100; place = 0
      for (second = first; second <= last; second++) {
        frame = second * 48000
        due = b + frame * 100000 / clock + place
        start = int(due + 0.5) - margin
        if (take("A.raw", a + frame, size, 1, x) < size) break
        if (take("B.raw", start, size + 2 * margin, 2, y) < size + 2 * margin) break
        least = -1
        for (shift = -reach; shift <= reach; shift++) {
          sum = difference(shift)
          if (least < 0 || sum < least) { least = sum; best = shift }
        }
        # Newton from there: B is late by part of a frame.
        up = 0; down = 0
        for (i = 0; i < size; i++) {
          slope = (y[i + margin + best + 1] - y[i + margin + best - 1]) / 2
          up += (y[i + margin + best] - x[i]) * slope
          down += slope * slope
        }
        found = start + margin + best - (down > 0 ? up / down : 0)
        place = found - b - frame * 100000 / clock
        printf "%d %.4f\n", second, place
        margin = 8; reach = 3
      }
    }'
}
