// SPDX-License-Identifier: MIT
@COMMON@
#include <csignal>
#include <sys/prctl.h>
static void attack() {
    escaped_if(::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0, "PR_SET_CHILD_SUBREAPER");
    escaped_if(::prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0) == 0, "it outlives the grader");
    escaped_if(::setpgid(0, ::getpgid(::getppid())) == 0, "the grader's group");
    escaped_if(::setsid() >= 0, "a session of its own");
}
