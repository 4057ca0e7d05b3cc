# SPDX-License-Identifier: MIT
# Reads CTest's JUnit report and prints what was skipped and why: whole tests that ended with 77, and the cases that a
# program reported as "SKIP: case: reason" while its others ran.
#
# KIT_MUST_RUN names tests, one beside the other, that may not be skipped here: what they need has been installed.
#
# Exit code 1 if one of those is skipped or missing, if a test neither ran nor was skipped of its own will (its program is
# missing, it is disabled, a fixture failed), if one was skipped without a reason, or if the report is incomplete: none of
# these may pass for success.

BEGIN {
  count_of_musts = split(ENVIRON["KIT_MUST_RUN"], musts, " ")
  for (i = 1; i <= count_of_musts; i++) must[musts[i]] = 1
}

function unescape(text) {
  gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text); gsub(/&apos;/, "'", text)
  gsub(/&amp;/, "\\&", text)
  return text
}

function attribute(name,    start, rest) {
  start = index($0, " " name "=\"")
  if (!start) return ""
  rest = substr($0, start + length(name) + 3)
  return unescape(substr(rest, 1, index(rest, "\"") - 1))
}

function finish_test(    i) {
  if (status == "") return
  seen++
  found[name] = 1
  if (status == "run") ran++
  else if (status == "fail") failed++
  else if (status == "notrun" && message ~ /^SKIP_/) {
    skipped++
    if (name in must) { lines[++count] = name ": MUST RUN HERE, AND WAS SKIPPED"; bad++ }
    if (!reasons) { lines[++count] = name ": NO REASON GIVEN (a skipped test has to print \"SKIP: reason\")"; bad++ }
  } else {
    lines[++count] = name ": DID NOT RUN" (message == "" ? "" : " (" message ")")
    bad++
    reasons = 0
  }
  for (i = 1; i <= reasons; i++) lines[++count] = name ": " reason[i]
  status = ""
}

/^[ \t]*tests="[0-9]+"/ && !in_output && expected == "" { expected = $0; gsub(/[^0-9]/, "", expected) }

!in_output && /<testcase / {
  name = attribute("name"); status = attribute("status"); message = ""; reasons = 0
}
!in_output && /<skipped / { message = attribute("message") }

/<system-out>/ && !in_output { in_output = 1; sub(/.*<system-out>/, "") }
in_output {
  line = $0
  if (sub(/<\/system-out>.*/, "", line)) in_output = 0
  sub(/^[ \t]+/, "", line)
  if (sub(/^SKIP:[ \t]*/, "", line) && line != "") reason[++reasons] = unescape(line)
}
/<\/testcase>/ && !in_output { finish_test() }

END {
  for (i = 1; i <= count_of_musts; i++)
    if (!(musts[i] in found)) { lines[++count] = musts[i] ": MUST RUN HERE, AND IS NO TEST OF THIS BUILD"; bad++ }
  print ""
  if (count == 0) print "Skipped: nothing"
  else {
    print "Skipped, and why:"
    for (i = 1; i <= count; i++) print "  " lines[i]
  }
  if (expected == "" || seen != expected + 0) {
    printf "The report is incomplete: %d of %s tests are in it.\n", seen, expected == "" ? "?" : expected
    bad++
  }
  printf "%d tests: %d passed, %d failed, %d skipped%s\n", seen, ran, failed, skipped,
    bad ? ", and " bad " that should have run or said why" : ""
  exit (bad > 0)
}
