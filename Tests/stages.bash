# shellcheck shell=bash
# What Tests/run and Tests/prove share: stages with a time limit, the count of all tests, the slowest ones.
# Sourced at the top of the repository.
#
# Tests run one after the other. In parallel each test's time would include its wait for the others, and a time limit
# would end tests that have hardly begun.
set -uo pipefail

passed=0 failed=0 skipped=0
running='' # the stage's process
log=$(mktemp)
durations=$(mktemp)
failures=$(mktemp)
trap 'rm -f "$log" "$durations" "$failures"' EXIT
trap '[[ ! $running ]] || kill "$running"; exit 130' INT TERM

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
  echo "== $name"
  timeout --kill-after=10 "${minutes}m" "$@" >"$log" 2>&1 </dev/null &
  running=$!
  tail -n +1 -s 0.2 -f --pid="$running" "$log" |
    grep --line-buffered -vE '^\S+ (Test|Suite) .*(started|passed)|^\[[0-9]+/[0-9]+\]|^◇'
  wait "$running" || status=$?
  running=''
  count "$status"
  ((status == 0)) || failing >>"$failures"
  ((status != 124)) || show_unfinished "$minutes"
  sed -nE 's/^[✔✘] Test (.*) (passed|failed) after ([0-9.]+) seconds.*/\3 s  \1/p
    s/^(ok|FAILED) (.*) \(([0-9.]+) s\)$/\3 s  \2/p' "$log" |
    grep -vE ' s  (run with|case passing) ' >>"$durations"
  echo "== $name: $( ((status == 0)) && echo ok || echo "FAILED ($status)"), $((SECONDS - start)) s"
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

# The ten slowest tests, what failed, and the line that counts all. Its status is the whole run's.
summary() {
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
