// SPDX-License-Identifier: MIT
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
@COMMON@
#include <csignal>
static void attack() {
    escaped_if(::unshare(CLONE_NEWUSER) == 0, "a user namespace");
    escaped_if(::syscall(SYS_clone, CLONE_NEWUSER | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0) > 0,
               "a clone in a user namespace");
    escaped_if(::mount("none", ".", "tmpfs", 0, nullptr) == 0, "a mount");
    escaped_if(::chroot(".") == 0, "chroot");
    escaped_if(::syscall(SYS_bpf, 0, nullptr, 0) >= 0 || errno != ENOSYS, "bpf");
    escaped_if(::syscall(SYS_io_uring_setup, 8, nullptr) >= 0 || errno != ENOSYS, "io_uring");
    escaped_if(::syscall(SYS_add_key, "user", "left", "x", 1, -4) >= 0, "a key");
    escaped_if(::syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0) >= 0 || errno != ENOSYS, "perf_event_open");
    escaped_if(::syscall(SYS_userfaultfd, 0) >= 0, "userfaultfd");
    escaped_if(::setuid(0) == 0 && ::geteuid() == 0 && ::syscall(SYS_mknod, "null", S_IFCHR | 0600, 0x103) == 0,
               "a device");
}
