# shellcheck shell=bash
# What the tests of several devices as one share: cards A and B, B's clock off by some ppm.
# Each begins with: source "${0%/*}/../aggregates.bash"
source "${BASH_SOURCE[0]%/*}/playing.bash"
modprobe snd-aloop enable=1,1 index=0,1 id=A,B

# Makes card B take that many hundred-thousandths of the time it should for a frame, before it is opened. The driver
# counts in thousandths of a byte and rounds when a period ends, and whenever two sides of a cable meet: its clock then
# wanders by some frames, several ppm of a minute. It does not with periods of 320 frames and nobody who records: so
# what the card is given goes into a file on its way, card_with_copy CARD. The control of device 0 is that of what plays
# on device 1.
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
  perl -e 'read STDIN, my $frames, 20 * 48000 * 8; exit 1 if grep { $_ } unpack "(x[$ARGV[0]] f< x![8])*", $frames' \
    $((4 * ($2 - 1))) <"$1" || fail "channel $2 of $1 is not silent"
}

# Prints from second to second how much later than due channel 1 of A.raw is in channel 2 of B.raw:
# compare_recordings CLOCK FIRST LAST, the clock as with set_clock.
compare_recordings() {
  "$guest/compare-recordings" A.raw "$(leading_silence A.raw)" B.raw "$(leading_silence B.raw)" "$@"
}
