# shellcheck shell=bash
# What Tests/run and Tests/prove share: stages with a time limit, the count of all tests, the slowest ones.
# Sourced at the top of the repository.
#
# Tests run one after the other. In parallel each test's time would include its wait for the others, and a time limit
# would end tests that have hardly begun.
set -uo pipefail

passed=0 failed=0 skipped=0
running='' # the stage's process
others=()  # what runs beside it
lane=''    # the directory of the lane whose stages run in this shell
log=$(mktemp)
stages=$(mktemp)
durations=$(mktemp)
failures=$(mktemp)
trap 'rm -f "$log" "$stages" "$durations" "$failures"' EXIT
trap 'stop; exit 130' INT TERM

# Ends what runs.
stop() {
  [[ ! $running ]] || kill "$running"
  ((${#others[@]} == 0)) || kill "${others[@]}" 2>/dev/null
}

# Warnings and imports of undeclared dependencies are errors. Nobody debugs a test build with a debugger.
strict=(-Xswiftc -warnings-as-errors -Xcc -Werror --explicit-target-dependency-import-check error)
strict+=(-debug-info-format none)
# The optimised test build, which also holds the program that the guest kernel runs.
release_tests=(-c release -Xswiftc -enable-testing --scratch-path .build/tests "${strict[@]}")

# Runs a stage, shows what it says except for each test that passed, and counts its tests. It is ended after MINUTES.
# usage: stage MINUTES NAME COMMAND…
stage() {
  local minutes=$1 name=$2 start=$SECONDS status=0
  shift 2
  timeout --kill-after=10 "${minutes}m" "$@" >"$log" 2>&1 </dev/null &
  running=$!
  if [[ ! $lane ]]; then
    echo "== $name"
    tail -n +1 -s 0.2 -f --pid="$running" "$log" | worth_showing
  fi
  wait "$running" || status=$?
  running=''
  count "$status"
  ((status == 0)) || failing >>"$failures"
  ((status != 124)) || show_unfinished "$minutes"
  sed -nE 's/^[✔✘] Test (.*) (passed|failed) after ([0-9.]+) seconds.*/\3 s  \1/p
    s/^(ok|FAILED) (.*) \(([0-9.]+) s\)$/\3 s  \2/p' "$log" |
    grep -vE ' s  (run with|case passing) ' >>"$durations"
  # All at once: another stage may be showing what it does.
  [[ ! $lane ]] || { echo "== $name"; worth_showing <"$log"; }
  echo "$((SECONDS - start)) s  $name" >>"$stages"
  echo "== $name: $( ((status == 0)) && echo ok || echo "FAILED ($status)"), $((SECONDS - start)) s"
}

worth_showing() { grep --line-buffered -vE '^\S+ (Test|Suite) .*(started|passed)|^\[[0-9]+/[0-9]+\]|^◇'; }

# Begins the stages of a function, beside those that follow. They show what they have to say when they end.
# usage: begin_lane FUNCTION
begin_lane() {
  lane_directory=$(mktemp -d)
  (
    lane=$lane_directory log=$lane_directory/log passed=0 failed=0 skipped=0 others=()
    trap 'stop; exit 130' INT TERM
    "$1"
    echo "$passed $failed $skipped" >"$lane/counts"
  ) &
  others+=($!)
}

# Waits for the lane, and adds its counts.
join_lane() {
  local p=0 f=1 s=0
  wait "${others[-1]}"
  unset 'others[-1]'
  [[ ! -s $lane_directory/counts ]] || read -r p f s <"$lane_directory/counts"
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
  rm -rf "$lane_directory"
}

# Adds the counts of Swift Testing's closing line, of the guest's, or one for a stage that is one check.
count() {
  local status=$1 all bad line
  if line=$(grep -aoE 'Test run with [0-9]+ tests?' "$log" | tail -1) && [[ $line ]]; then
    all=$(grep -oE '[0-9]+' <<<"$line")
    bad=$(grep -aE '^✘ Test .* failed after' "$log" | grep -acvE '^✘ Test (run with|case passing) ')
    ((status == 0 || bad > 0)) || bad=1
    passed=$((passed + all - bad)) failed=$((failed + bad))
  elif line=$(grep -aE '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -1) && [[ $line ]]; then
    read -r p f s <<<"$(grep -oE '[0-9]+' <<<"$line" | tr '\n' ' ')"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + ${s:-0}))
  elif ((status == 0)); then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
  fi
}

# After a time limit: the tests that had begun and not ended.
show_unfinished() {
  echo "ended after $1 minutes; tests that had not finished:"
  grep -vE '^\S+ Test (run|case passing) ' "$log" | sed -nE 's/^◇ Test (.*) started\.$/\1/p' | sort >"$log.started"
  sed -nE 's/^[✔✘] Test (.*) (passed|failed) after .*/\1/; T; s/ with [0-9]+ test cases?$//p; t; p' "$log" | sort |
    comm -23 "$log.started" - | sed 's/^/  /'
  rm -f "$log.started"
}

# The stage that failed, and what failed in it where that has a name.
# usage: failing   (within stage)
failing() {
  echo "$name"
  sed -nE 's/^✘ Test (.*) failed after .*/  \1/p
    s/^FAILED (.*) \([0-9.]+ s\)$/  \1/p' "$log" | grep -vE '^  (run with|case passing) ' | sort -u
}

# The slowest stages and tests, what failed, and the line that counts all. Its status is the whole run's.
summary() {
  echo
  echo "The slowest stages, of $SECONDS s in all:"
  sort -rn "$stages" | head -n 8 | sed 's/^/  /'
  echo
  echo "The slowest tests:"
  sort -rn "$durations" | head -n 10 | sed 's/^/  /'
  echo
  if [[ -s $failures ]]; then
    echo "What failed:"
    sed 's/^/  /' "$failures"
    echo
  fi
  echo "$passed passed, $failed failed, $skipped skipped"
  ((failed == 0))
}
