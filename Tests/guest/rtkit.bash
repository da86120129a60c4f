# shellcheck shell=bash
# What the tests of RealtimeKit share: the system's D-Bus, and synth as a user who has no right to real-time scheduling.
# Each begins with: source "${0%/*}/../rtkit.bash"
source "${BASH_SOURCE[0]%/*}/live.bash"
modprobe -a snd-seq snd-dummy

start_bus() {
  mkdir -p /run/dbus
  dbus-daemon --system --nopidfile --nofork >bus.log 2>&1 &
  # shellcheck disable=SC2034 # for the tests
  bus=$!
  wait_until test -S /run/dbus/system_bus_socket
}

# The real daemons. polkit allows nothing to a user whom nobody has logged in, unless told to.
start_rtkit() {
  start_bus
  sed -i 's/<allow_any>no/<allow_any>yes/' /usr/share/polkit-1/actions/org.freedesktop.RealtimeKit1.policy
  /usr/lib/polkit-1/polkitd --no-debug >polkit.log 2>&1 &
  # Its limit on the size of files would end it at the first line of a log.
  /usr/libexec/rtkit-daemon --stderr 2>&1 | cat >rtkit.log &
  wait_until file_has rtkit.log 'dropped privileges'
}

# Starts synth in the background as that user, its lines in the file `lines`, and waits until it plays; prints after how
# many milliseconds it does, and after how many it has told of its thread.
start_as_user() {
  local began=${EPOCHREALTIME/./} plays
  : >lines
  setpriv --reuid 65534 --regid 65534 --clear-groups \
    /tmp/ordinary/synth --soundfont /tmp/ordinary/synth-gm.sf2 --out hw:CARD=Dummy >lines 2>&1 &
  # shellcheck disable=SC2034 # for the tests
  synth=$!
  wait_until file_has /proc/asound/Dummy/pcm0p/sub0/status RUNNING
  plays=$(((${EPOCHREALTIME/./} - began) / 1000))
  wait_until says '^thread'
  measured "plays after $plays ms, and after $(((${EPOCHREALTIME/./} - began) / 1000)) ms: $(grep '^thread' lines)"
}
chmod 666 /dev/snd/*
mkdir -m 755 /tmp/ordinary
cp "$SYNTH" "$guest/../../soundfonts/synth-gm.sf2" /tmp/ordinary

# Prints policy and priority of synth's thread of that name: thread_scheduling NAME.
thread_scheduling() {
  local thread
  thread=$(grep -lx "$1" /proc/"$synth"/task/*/comm)
  thread=${thread%/comm}
  chrt -p "${thread##*/}" | sed 's/.*: //' | paste -sd ' '
}
