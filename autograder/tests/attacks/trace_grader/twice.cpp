// SPDX-License-Identifier: MIT
@COMMON@
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
static void attack() {
    escaped_if(::ptrace(PTRACE_SEIZE, ::getppid(), nullptr, nullptr) == 0, "PTRACE_SEIZE");
    escaped_if(::ptrace(PTRACE_ATTACH, ::getppid(), nullptr, nullptr) == 0, "PTRACE_ATTACH");
    char text[8];
    iovec mine{text, sizeof text}, others{reinterpret_cast<void*>(0x400000), sizeof text};
    escaped_if(::process_vm_readv(::getppid(), &mine, 1, &others, 1, 0) >= 0 || errno == EFAULT, "process_vm_readv");
    escaped_if(::syscall(SYS_pidfd_getfd, ::syscall(SYS_pidfd_open, ::getppid(), 0), 0, 0) >= 0, "pidfd_getfd");
}
