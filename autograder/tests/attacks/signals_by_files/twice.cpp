// SPDX-License-Identifier: MIT
@COMMON@
#include <csignal>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
static void attack() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return;
    const f_owner_ex process{F_OWNER_PID, ::getppid()};
    const int grader = ::getppid();
    escaped_if(::fcntl(ends[0], F_SETOWN, grader) == 0, "F_SETOWN");
    escaped_if(::fcntl(ends[0], F_SETOWN_EX, &process) == 0, "F_SETOWN_EX");
    escaped_if(::ioctl(ends[0], FIOSETOWN, &grader) == 0, "FIOSETOWN");
    escaped_if(::ioctl(ends[0], SIOCSPGRP, &grader) == 0, "SIOCSPGRP");
    ::fcntl(ends[0], F_SETSIG, SIGKILL);
    ::fcntl(ends[0], F_SETFL, O_ASYNC);
    ::write(ends[1], "x", 1);
}
