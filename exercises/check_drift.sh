#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: check_drift.sh [ROOT]
#
# A stub, its solution and its planted answers (wrong, lazy, right) are one text but for the student's part, which stands between
# `// ---- your code` and `// ---- end ----`. So solving an exercise never needs a line changed outside the marks, and a
# planted mistake is one that a student can make.
set -eu
root=${1:-$(cd "$(dirname "$0")/.." && pwd)}
cd "$root"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The file without the student's part; fails if the marks are off.
frame() {
    awk '/\/\/ ---- your code/ { if (inside) bad = 1; inside = 1; parts++; print; next }
         /\/\/ ---- end ----/  { if (!inside) bad = 1; inside = 0 }
         !inside { print }
         END { exit bad || inside || !parts }' "$1"
}

status=0 pairs=0
no_pairs="expected pairs of '// ---- your code' and '// ---- end ----'"
complain() { echo "$1"; status=1; }

compare() {                                               # stub, other
    pairs=$((pairs + 1))
    frame "$1" >"$scratch/stub" || { complain "$1: $no_pairs"; return; }
    frame "$2" >"$scratch/other" || { complain "$2: $no_pairs"; return; }
    # What a planted answer includes besides is its own affair.
    grep -v '^#include <' "$scratch/other" | cat -s >"$scratch/other.plain"
    grep -v '^#include <' "$scratch/stub" | cat -s >"$scratch/stub.plain"
    case $2 in */wrong/* | */lazy/* | */right/*) files="stub.plain other.plain" ;; *) files="stub other" ;; esac
    # shellcheck disable=SC2086
    if ! (cd "$scratch" && diff $files) >"$scratch/diff"; then
        complain "$1 and $2 differ outside the student's part:"
        cat "$scratch/diff"
    fi
    case $2 in */lazy/*) return ;; esac                   # one that leaves the kernel file untouched
    ! cmp -s "$1" "$2" || complain "$2: the same as the stub"
}

for solution in solutions/[0-9]*/*; do
    [ -e "$solution" ] || continue
    stub=exercises/${solution#solutions/}
    [ -f "$stub" ] || { complain "$solution: there is no stub $stub"; continue; }
    compare "$stub" "$solution"
    ! grep -q 'TODO' "$solution" || complain "$solution: a TODO in a solution"
    grep -q 'TODO' "$stub" || complain "$stub: no TODO in a stub"
done
for wrong in exercises/[0-9]*/wrong/*/* exercises/[0-9]*/lazy/*/* exercises/[0-9]*/right/*/*; do
    [ -e "$wrong" ] || continue
    exercise=${wrong%/*/*/*}
    compare "$exercise/${wrong##*/}" "$wrong"
    ! cmp -s "solutions/${exercise#exercises/}/${wrong##*/}" "$wrong" || complain "$wrong: the same as the solution"
done
for readme in exercises/[0-9]*/README.md; do
    [ -e "$readme" ] || continue
    [ "$(wc -l <"$readme")" -le 60 ] || complain "$readme: more than 60 lines; a task fits on a page"
    folder=${readme%/README.md}
    grep -q "puts your files into .work/${folder##*/}/" "$readme" ||
        complain "$readme: doesn't say where to edit: puts your files into work/${folder##*/}/"
done

[ "$pairs" -gt 0 ] || complain "nothing to compare below $root"
[ "$status" = 0 ] && echo "$pairs files differ from their stubs in the student's part only"
exit "$status"
