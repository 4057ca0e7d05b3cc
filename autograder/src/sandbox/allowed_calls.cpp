// SPDX-License-Identifier: MIT
#include "sandbox/allowed_calls.hpp"

#include <algorithm>
#include <string>

#include <seccomp.h>

namespace course {

namespace {

constexpr CallGroup of_compiler[] = {
    {"", "brk close execve exit_group fcntl getcwd ioctl lseek mmap mprotect munmap newfstatat openat pread64 "
         "prlimit64 read rt_sigaction set_tid_address unlink vfork wait4 write"},
    {"another C library, kernel or processor than the tests' has names of its own for the same things",
     "access arch_prctl creat dup dup2 dup3 faccessat faccessat2 fstat futex futex_waitv getdents getdents64 getrandom "
     "getrlimit gettimeofday lstat open pipe pipe2 readlink readlinkat rseq set_robust_list stat statx time unlinkat"},
    {"what only some versions of g++, clang++ and their linkers ask",
     "clock_getres clock_gettime fadvise64 fallocate fstatfs fsync ftruncate getrusage madvise mkdir mremap msync "
     "pwrite64 readv rename renameat renameat2 rmdir statfs sysinfo times umask uname writev"},
    {"linkers and compilers with threads",
     "clone get_robust_list gettid membarrier sched_getaffinity sched_yield tgkill"},
    {"signals, and the ends of threads", "exit restart_syscall rt_sigprocmask rt_sigreturn sigaltstack"},
    {"a compiler that is a shell script",
     "chdir fchdir fork getegid geteuid getgid getgroups getpgid getpgrp getpid getppid getsid getuid kill "
     "setpgid waitid"},
};

constexpr CallGroup of_runner[] = {
    {"", "memfd_create recvfrom sendto"},
    {"another C library, kernel or processor than the tests' has names of its own for the same things",
     "mkdirat nanosleep poll ppoll pselect6 select setrlimit"},
    {"a student's C++ may measure time, wait and be woken",
     "alarm clock_nanosleep epoll_create1 epoll_ctl epoll_pwait epoll_wait eventfd2 getitimer pause rt_sigpending "
     "rt_sigsuspend rt_sigtimedwait setitimer"},
    {"threads of a student's C++, of OpenMP and of sanitizers: processors, names, protected and locked memory",
     "getcpu getpriority mincore mlock mlock2 munlock personality prctl sched_get_priority_max "
     "sched_get_priority_min sched_getparam sched_getscheduler sched_setaffinity sched_setscheduler"},
    {"std::filesystem and streams on files, of which Landlock says where they may be",
     "copy_file_range fdatasync preadv pwritev sendfile truncate"},
    {"pipes and pairs of sockets within the process, which the filter looks at", "recvmsg setsid shutdown socketpair"},
    {"who it is, of which nothing can be changed", "capget getresgid getresuid"},
};

constexpr CallGroup of_cuda_runner[] = {
    {"CUDA's driver talks to its own threads and to programs of this machine",
     "accept accept4 bind epoll_create eventfd getpeername getsockname getsockopt listen sendmsg setsockopt signalfd4 "
     "socket timerfd_create timerfd_gettime timerfd_settime"},
    {"CUDA's driver places memory and locks it",
     "get_mempolicy mbind mlockall munlockall set_mempolicy set_mempolicy_home_node"},
    {"CUDA's driver locks its cache of kernels", "flock"},
    {"CUDA's driver looks at its threads, and wakes them at times",
     "sched_getattr timer_create timer_delete timer_gettime timer_settime"},
};

template <class Each>
void for_each_name(std::string_view names, const Each& each) {
    while (!names.empty()) {
        const std::size_t end = std::min(names.find(' '), names.size());
        each(names.substr(0, end));
        names.remove_prefix(std::min(end + 1, names.size()));
    }
}

}  // namespace

std::span<const CallGroup> calls_added_for(CallList list) {
    switch (list) {
        case CallList::compiler: return of_compiler;
        case CallList::runner: return of_runner;
        case CallList::cuda_runner: return of_cuda_runner;
    }
    return {};
}

std::vector<std::string_view> allowed_calls(CallList list) {
    std::vector<std::string_view> all;
    for (const CallList one : {CallList::compiler, CallList::runner, CallList::cuda_runner}) {
        if (one > list) break;
        for (const CallGroup& group : calls_added_for(one))
            for_each_name(group.names, [&](std::string_view name) { all.push_back(name); });
    }
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<int> allowed_numbers(CallList list) {
    std::vector<int> numbers;
    for (const std::string_view name : allowed_calls(list))   // a negative number: another processor's, or none
        if (const int number = ::seccomp_syscall_resolve_name(std::string(name).c_str()); number >= 0)
            numbers.push_back(number);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

}  // namespace course
