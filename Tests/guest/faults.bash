# shellcheck shell=bash
# Playing amid faults, in an order that a seed decides: three keyboards, two sound cards, and a model of what is held.
# Each test begins with: source "${0%/*}/../faults.bash"
source "${BASH_SOURCE[0]%/*}/playing.bash"
# Their numbers are whatever is free when they come.
modprobe snd-aloop enable=1,1 id=A,B
modprobe snd-virmidi enable=1,1 id=V,W midi_devs=1,1
usb_keyboard up

readonly rate=48000
# Each keyboard has the MIDI channel of its number. The first is unplugged by its cable, the others by their driver.
readonly cards=(kbdgadget V W)
numbers=()
readonly keys=(60 62 64 65 67 69 71 72)
# Semitones that a bend to either end is worth.
readonly bend_range=2

# The model, by keyboard: whether it is there, "NOTE " for every key held, the pedal, the bend.
there=(1 1 1) held=('' '' '') pedal=(0 0 0) bend=(8192 8192 8192)
declare -A card_there=([A]=1 [B]=1)
declare -A happened=()

# Leaves a number from 0 to N - 1 in `rolled`: not printed, because in a subshell the sequence would not go on.
roll() { rolled=$((RANDOM % $1)); }

# Waits without a process of its own: a child costs 8 ms.
mkfifo nothing
exec {nothing}<>nothing
pause() { read -rt "$1" -u "$nothing" _ || true; }

# Writes MIDI bytes to a keyboard, which must be there: send KEYBOARD BYTE….
send() {
  local card=${numbers[$1]} bytes=''
  shift
  printf -v bytes '\\x%02x' "$@"
  printf '%b' "$bytes" >"/dev/snd/midiC${card}D0"
}

is_joined() { grep -A 1 -F "\"$1\"" /proc/asound/seq/clients | grep -q 'Connecting To'; }

# Waits until the program has joined a keyboard that has come, and takes note of its card's number.
expect_joined() {
  local number port='Test Keyboard 49 MIDI 1'
  number=$(readlink "/proc/asound/${cards[$1]}")
  numbers[$1]=${number#card}
  (($1 == 0)) || port="VirMIDI ${numbers[$1]}-0"
  pause 0.1
  wait_until is_joined "$port"
}

unplug() {
  case $1 in
  0) usb_keyboard unplug ;;
  *) echo "snd_virmidi.$(($1 - 1))" >/sys/bus/platform/drivers/snd_virmidi/unbind ;;
  esac
  there[$1]=0 held[$1]='' pedal[$1]=0 bend[$1]=8192
}

replug() {
  case $1 in
  0) usb_keyboard plug ;;
  *) echo "snd_virmidi.$(($1 - 1))" >/sys/bus/platform/drivers/snd_virmidi/bind ;;
  esac
  expect_joined "$1"
  there[$1]=1
}

toggle_keyboard() { if ((there[$1])); then unplug "$1"; else replug "$1"; fi; }

toggle_card() {
  local number=0
  [[ $1 == A ]] || number=1
  if ((card_there[$1])); then
    echo "snd_aloop.$number" >/sys/bus/platform/drivers/snd_aloop/unbind
  else
    echo "snd_aloop.$number" >/sys/bus/platform/drivers/snd_aloop/bind
  fi
  card_there[$1]=$((1 - card_there[$1]))
}

press() { send "$1" $((0x90 + $1)) "$2" 100 && held[$1]+="$2 "; }
let_go() { send "$1" $((0x80 + $1)) "$2" 64 && held[$1]=${held[$1]/"$2 "/}; }

toggle_note() { if [[ " ${held[$1]}" == *" $2 "* ]]; then let_go "$1" "$2"; else press "$1" "$2"; fi; }

set_pedal() { send "$1" $((0xB0 + $1)) 64 $(($2 * 127)) && pedal[$1]=$2; }
set_bend() { send "$1" $((0xE0 + $1)) $(($2 & 127)) $(($2 >> 7)) && bend[$1]=$2; }

# Somebody plays: a note, the pedal or a bend, if the keyboard is there.
play_something() {
  local keyboard
  roll 3
  keyboard=$rolled
  ((there[keyboard])) || return 0
  roll 10
  case $rolled in
  [0-6]) roll ${#keys[@]} && toggle_note "$keyboard" "${keys[rolled]}" ;;
  7 | 8) set_pedal "$keyboard" $((1 - pedal[keyboard])) ;;
  9) roll 16384 && set_bend "$keyboard" "$rolled" ;;
  esac
}

# The program stands still for 20 to 219 ms, while they play on.
starve() {
  kill -STOP "$program"
  play_something
  roll 200
  printf -v rolled '0.%03d' $((rolled + 20))
  pause "$rolled"
  play_something
  kill -CONT "$program"
}

count() { happened[$1]=$((${happened[$1]-0} + 1)); }

# One fault, or, mostly, some playing.
something_happens() {
  roll 100
  case $rolled in
  [0-9] | [0-7]?) count events && play_something ;;
  8[0-7]) roll 3 && count keyboards && toggle_keyboard "$rolled" ;;
  8? | 9[0-2]) roll 2 && count cards && { if ((rolled)); then toggle_card A; else toggle_card B; fi; } ;;
  9[3-7]) count starvations && starve ;;
  9?) count suspensions && suspend ;;
  esac
}

# Prints the card that the program plays on, if there is one.
playing_card() {
  local card
  for card in A B; do
    ! file_has "/proc/asound/$card/pcm0p/sub0/status" RUNNING || { echo "$card" && return; }
  done
  return 1
}
plays() { playing_card >/dev/null; }

# Records a third of a second of what is heard: leaves its greatest sample and its frequency in `peak` and `frequency`.
listen() {
  local card='' figures
  # From one card throughout: the program may be on its way back to the card it prefers.
  until [[ $card && $(playing_card) == "$card" ]]; do
    wait_until plays
    card=$(playing_card)
    arecord -q -D "plughw:$card,1" -t raw -f S16_LE -c 2 -r "$rate" -s $((rate / 3)) heard.raw 2>listen.log ||
      fail "arecord: $(<listen.log)"
  done
  # Upward zero crossings, from the first to the last.
  figures=$(od -An -v -w4 -td2 heard.raw | awk -v rate="$rate" '
    { if ($1 > peak) peak = $1; if (-$1 > peak) peak = -$1 }
    before < 0 && $1 >= 0 { if (!crossings++) first = NR; last = NR }
    { before = $1 }
    END { print peak + 0, (crossings > 1 ? (crossings - 1) * rate / (last - first) : 0) }')
  read -r peak frequency <<<"$figures"
}
is_silent() { listen && ((peak < 4)); }

# Demands that the key sounds, at its pitch under the keyboard's bend: expect_note KEYBOARD NOTE.
expect_note() {
  listen
  ((peak > 100)) || fail "key $2 of keyboard $1 is held, and a peak of $peak is heard"
  awk -v note="$2" -v bend="${bend[$1]}" -v range="$bend_range" -v heard="$frequency" 'BEGIN {
    due = 440 * 2 ^ ((note - 69 + range * (bend - 8192) / 8192) / 12)
    exit !(heard > due * 0.985 && heard < due * 1.015)
  }' || fail "key $2 of keyboard $1, bend ${bend[$1]}: $frequency Hz is heard"
}

# All let go but one key of one keyboard: that one still sounds, and nothing does when it is let go, too.
take_stock() {
  local keyboard kept note
  # Somebody to hear, and to be heard on.
  ((card_there[A] || card_there[B])) || toggle_card A
  roll 3
  kept=$rolled
  ((there[kept])) || replug "$kept"
  [[ ${held[kept]} ]] || press "$kept" "${keys[0]}"
  for keyboard in 0 1 2; do
    ((there[keyboard])) || continue
    ((pedal[keyboard] == 0)) || set_pedal "$keyboard" 0
    for note in ${held[keyboard]}; do
      [[ $keyboard == "$kept" && $note == "${held[kept]%% *}" ]] || let_go "$keyboard" "$note"
    done
  done
  wait_until plays
  pause 0.7 # for a fade-in, and for the others' release
  expect_note "$kept" "${held[kept]% }"
  let_go "$kept" "${held[kept]% }"
  wait_until is_silent
}

descriptors() { echo "/proc/$program/fd/"* | wc -w; }
resident() { sed -n 's/^VmRSS:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$program/status"; }

# All devices are there, and nobody plays.
restore() {
  local keyboard card
  for keyboard in 0 1 2; do ((there[keyboard])) || replug "$keyboard"; done
  for card in A B; do ((card_there[$card])) || toggle_card "$card"; done
  take_stock
}

# Plays amid faults for so long, with a look at what sounds every 15 seconds: play_amid_faults SECONDS.
play_amid_faults() {
  local end=$((SECONDS + $1)) stock=$((SECONDS + 15))
  while ((SECONDS < end)); do
    something_happens
    roll 500
    printf -v rolled '0.%03d' "$rolled"
    pause "$rolled"
    ((SECONDS < stock)) || { take_stock && stock=$((SECONDS + 15)); }
  done
  restore
}

# Starts synth, with a flute-like sound that lasts as long as its key is held and no longer: without reverb and chorus.
start_amid_faults() {
  local keyboard
  start_playing --out hw:CARD=A --fallback hw:CARD=B
  wait_until file_has said '^latency'
  for keyboard in 0 1 2; do
    expect_joined "$keyboard"
    send "$keyboard" $((0xC0 + keyboard)) 79 $((0xB0 + keyboard)) 91 0 93 0
  done
  wait_until plays
}
