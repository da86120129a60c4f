# What scripts that start programs measure them with. They have a folder for scratch files in `scratch`.
# shellcheck shell=bash

# The program that is measured, in SYNTH, unless that is given: built from the package above the script's, in `here`.
find_synth() {
  [[ -z ${SYNTH:-} ]] || return 0
  swift build --package-path "$here/.." -c release --product synth -q
  SYNTH=$(swift build --package-path "$here/.." -c release --show-bin-path)/synth
}

# Until the first sample that is not zero: milliseconds, those of processors, and megabytes. usage: first COMMAND…
first() {
  perl -MTime::HiRes=time -e '
    my $start = time;
    my $pid = open(my $pipe, "-|", @ARGV) or die "$ARGV[0]: $!\n";
    binmode $pipe;
    while (my $count = sysread($pipe, my $block, 4096)) {
      next unless $block =~ /[^\0]/;
      my $elapsed = (time - $start) * 1000;
      my ($peak, $busy) = (0, 0);
      open(my $status, "<", "/proc/$pid/status") or die "no status\n";
      while (<$status>) { $peak = $1 / 1024 if /^VmHWM:\s+(\d+)/ }
      for my $task (glob "/proc/$pid/task/*/schedstat") {
        open(my $times, "<", $task) or next;
        $busy += (split " ", <$times>)[0] / 1e6;
      }
      kill "KILL", $pid;
      printf "%.1f %.1f %.1f\n", $elapsed, $busy, $peak;
      exit;
    }
    die "$ARGV[0] was silent\n"' -- "$@" 2> "$scratch/log" || { cat "$scratch/log" >&2; exit 1; }
}

# A note of program 48 at once. usage: write_note FILE
write_note() {
  printf 'MThd\0\0\0\6\0\0\0\1\1\340MTrk\0\0\0\20\0\300\60\0\220\74\144\203\140\200\74\100\0\377\57\0' > "$1"
}

# Of numbers, one a line; of an even number of them, the mean of the middle two. usage: median [DECIMALS]
median() {
  sort -g | awk -v decimals="${1:-0}" '
    { v[NR] = $1 } END { printf "%.*f", decimals, (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# Half of what lies between the quartiles, in percent of the median.
spread() {
  sort -g | awk '
    { v[NR] = $1 }
    END { printf "%.0f", (v[int(NR * 3 / 4 + 0.5)] - v[int(NR / 4 + 0.75)]) / 2 / v[int((NR + 1) / 2)] * 100 }'
}
