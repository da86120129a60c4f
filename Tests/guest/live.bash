# shellcheck shell=bash
# What the tests of live playing share: synth on the loopback card, its lines and its sound.
# Each begins with: source "${0%/*}/../live.bash"
source "${BASH_SOURCE[0]%/*}/helpers.bash"
modprobe snd-aloop

readonly rate=48000

# shellcheck disable=SC2120 # some tests give options, others none
# Starts synth in the background, its sound recorded and its lines in the file `lines`, and waits until it plays. It is
# dry, for the end of a note to be heard at once, and not when the room has died away.
start_synth() {
  record_loopback recorded.raw S16_LE 2 "$rate"
  # shellcheck disable=SC2153 # set by run
  "$SYNTH" --soundfont "$guest/../../soundfonts/synth-gm.sf2" --out hw:Loopback,0 \
    --reverb off --chorus off "$@" >lines 2>&1 &
  synth=$!
  wait_until file_has lines '^latency'
}

# Ends synth by SIGTERM, and expects the exit status of an interruption. In the background of scripts SIGINT is ignored.
end_synth() {
  local status=0
  kill -TERM "$synth"
  wait "$synth" || status=$?
  ((status == 143)) || fail "exit status $status, and: $(<lines)"
  ! says xruns || measured "$(grep xruns lines)"
}

# Prints the highest absolute sample of the recording's last MILLISECONDS.
recent_peak() {
  tail -c $(($1 * rate * 4 / 1000)) recorded.raw | od -An -v -w2 -td2 |
    awk '{ if ($1 < 0) $1 = -$1; if ($1 > peak) peak = $1 } END { print peak + 0 }'
}

is_sounding() { (($(recent_peak 100) > 100)); }
is_silent() { (($(recent_peak 100) < 4)); }

says() { file_has lines "$1"; }
