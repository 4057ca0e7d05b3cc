#!/bin/sh
# SPDX-License-Identifier: MIT
# check_drift.sh must be able to fail: each planted drift in a scratch copy has to be found, and a new exercise has none.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

plant() {                                                 # what, a command in the copy, words that the check must print
    rm -rf "$scratch/copy"
    mkdir -p "$scratch/copy/exercises" "$scratch/copy/solutions"
    for folder in exercises solutions; do                 # two exercises say as much as all of them
        cp -R "$root/$folder/08-raw-add" "$root/$folder/12-reduce" "$scratch/copy/$folder"
    done
    (cd "$scratch/copy" && eval "$2")
    if "$root/exercises/check_drift.sh" "$scratch/copy" >"$scratch/said" 2>&1; then
        echo "not found: $1"
        failures=$((failures + 1))
    elif ! grep -q "$3" "$scratch/said"; then
        echo "found without saying \"$3\": $1"
        cat "$scratch/said"
        failures=$((failures + 1))
    fi
}

kernels=08-raw-add/raw_add.cu
plant "a line of the solution outside the marks" \
    "sed -i s/Binary/Changed/ solutions/08-raw-add/raw_add.cpp" 'differ outside'
plant "a line of a wrong answer outside the marks" \
    "sed -i 's/int n/long n/' exercises/08-raw-add/wrong/no-guard/raw_add.cu" 'differ outside'
plant "a mark without its end" "sed -i '/---- end/d' solutions/$kernels" 'expected pairs'
plant "a TODO left in the solution" "sed -i 's/right, and/TODO/' solutions/12-reduce/reduce.cu" 'a TODO in a solution'
plant "a stub without a TODO" "sed -i s/TODO/Well/ exercises/$kernels" 'no TODO in a stub'
plant "a solution that is the stub" "cp exercises/$kernels solutions/$kernels" 'the same as the stub'
plant "a wrong answer that is the solution" \
    "cp solutions/$kernels exercises/08-raw-add/wrong/no-guard" 'same as the solution'
plant "a line of a lazy answer outside the marks" \
    "sed -i 's/int n/long n/' exercises/08-raw-add/lazy/one-thread/raw_add.cu" 'differ outside'
plant "a line of a right answer outside the marks" \
    "sed -i 's/int n/long n/' exercises/08-raw-add/right/float4/raw_add.cu" 'differ outside'
plant "a lazy answer that is the solution" \
    "cp solutions/$kernels exercises/08-raw-add/lazy/one-thread" 'same as the solution'
plant "a task of two pages" "yes | head -61 >exercises/08-raw-add/README.md" 'more than 60 lines'
plant "a task that doesn't say where its files are" "sed -i s,work/08-raw-add/,work/, exercises/08-raw-add/README.md" \
    'where to edit: puts your files into work/08-raw-add/'
plant "no exercises" "rm -r exercises/[0-9]* solutions/[0-9]*" 'nothing to compare'

# What `course dev new` makes is an exercise without a drift.
rm -rf "$scratch/copy"
mkdir -p "$scratch/copy/exercises" "$scratch/copy/solutions"
cp -R "$root/autograder/template/exercise" "$scratch/copy/exercises/23-my-topic"
cp -R "$root/autograder/template/solution" "$scratch/copy/solutions/23-my-topic"
find "$scratch/copy" -type f | while IFS= read -r file; do
    sed -i 's/TOPIC/my_topic/g; s/FOLDER/23-my-topic/g; s/NUMBER/23/g' "$file"
    case $file in *TOPIC*) mv "$file" "${file%TOPIC*}my_topic${file##*TOPIC}" ;; esac
done
if ! "$root/exercises/check_drift.sh" "$scratch/copy" >"$scratch/said" 2>&1; then
    echo "the template of course dev new drifts:"
    cat "$scratch/said"
    failures=$((failures + 1))
fi

[ "$failures" = 0 ] && echo "all planted drifts are found"
exit "$failures"
