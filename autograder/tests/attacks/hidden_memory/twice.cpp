// SPDX-License-Identifier: MIT
@COMMON@
#include <sched.h>
#include <csignal>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
static void attack() {
    void* const shared = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    escaped_if(shared != MAP_FAILED, "memory without a place");
    int ends[2];
    char byte = 'x', control[CMSG_SPACE(sizeof(int))]{};
    iovec text{&byte, 1};
    msghdr message{};
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    const int file = ::memfd_create("hidden", 0);
    std::memcpy(CMSG_DATA(header), &file, sizeof file);
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0)
        escaped_if(::sendmsg(ends[0], &message, 0) >= 0, "memory without a place");
    escaped_if(::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0, "its own files can't be seen any more");
    static char stack[65536];
    const auto wait = [](void*) { return ::pause(); };
    escaped_if(::clone(wait, stack + sizeof stack, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, nullptr) >= 0,
               "a thread with open files of its own");
}
