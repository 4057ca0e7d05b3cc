// SPDX-License-Identifier: MIT
#include <sys/syscall.h>
@COMMON@
#include <csignal>
static void attack() {
    escaped_if(::kill(::getppid(), SIGKILL) == 0, "SIGKILL");
    escaped_if(::syscall(SYS_tgkill, ::getppid(), ::getppid(), SIGKILL) == 0, "tgkill");
    escaped_if(::syscall(SYS_pidfd_send_signal, ::syscall(SYS_pidfd_open, ::getppid(), 0), SIGKILL, 0, 0) == 0,
               "pidfd");
}
