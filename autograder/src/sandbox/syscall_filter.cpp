// SPDX-License-Identifier: MIT
#include "sandbox/syscall_filter.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "support/files.hpp"
#include "support/process.hpp"

namespace course {

namespace {

// A placeholder for the process's own number, which is known only after the fork.
constexpr std::uint32_t own_number = 0x7e5e1f00;

using Program = std::vector<sock_filter>;

/// Ends with ENOSYS if the call's number is none of these, in ascending order; otherwise continues after it.
Program numbers_alone(const std::vector<int>& numbers) {
    struct Range {
        std::uint32_t first, last;
    };
    std::vector<Range> ranges;
    for (const int one : numbers) {
        const auto number = static_cast<std::uint32_t>(one);
        if (!ranges.empty() && number <= ranges.back().last + 1) ranges.back().last = number;
        else ranges.push_back({number, number});
    }
    Program program{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
    std::size_t left = 2 * ranges.size();
    if (left > 255) throw std::runtime_error("the allowed system calls lie too far apart for a filter's jumps");
    for (const Range& range : ranges) {
        const auto to_end = static_cast<std::uint8_t>(--left), past_end = static_cast<std::uint8_t>(left--);
        program.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, range.first, 0, to_end));
        program.push_back(BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, range.last, 0, past_end));
    }
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
    return program;
}

/// Refuses allowed calls by their arguments.
class Builder {
public:
    Builder() : context_(::seccomp_init(SCMP_ACT_ALLOW), ::seccomp_release) {
        if (!context_) throw std::runtime_error("seccomp_init failed");
    }

    /// Refuses the system call if all comparisons hold; ignores a name that this machine's libseccomp doesn't know.
    void refuse(const char* name, std::initializer_list<scmp_arg_cmp> comparisons = {}) {
        const int number = ::seccomp_syscall_resolve_name(name);
        if (number == __NR_SCMP_ERROR) return;
        const int failed = ::seccomp_rule_add_array(context_.get(), SCMP_ACT_ERRNO(EPERM), number,
                                                    static_cast<unsigned>(comparisons.size()),
                                                    comparisons.size() == 0 ? nullptr : comparisons.begin());
        if (failed != 0) throw std::runtime_error(std::string("seccomp_rule_add failed for ") + name);
    }

    /// @param program what precedes the rules
    [[nodiscard]] Program behind(Program program) const {
        ::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);  // a search tree
        const UniqueFd file(::memfd_create("course-filter", MFD_CLOEXEC));
        if (!file) throw_errno("memfd_create");
        if (::seccomp_export_bpf(context_.get(), file.get()) != 0)
            throw std::runtime_error("seccomp_export_bpf failed");
        const off_t bytes = ::lseek(file.get(), 0, SEEK_END);
        const std::size_t begin = program.size();
        program.resize(begin + static_cast<std::size_t>(bytes) / sizeof(sock_filter));
        if (::pread(file.get(), program.data() + begin, static_cast<std::size_t>(bytes), 0) != bytes)
            throw_errno("pread");
        return program;
    }

private:
    std::unique_ptr<void, void (*)(scmp_filter_ctx)> context_;
};

scmp_arg_cmp is(unsigned argument, std::uint64_t value) {
    return {argument, SCMP_CMP_MASKED_EQ, 0xffffffff, value};   // the kernel reads 32 bits, whatever the upper bits are
}
scmp_arg_cmp is_not(unsigned argument, std::uint64_t value) { return {argument, SCMP_CMP_NE, value, 0}; }
scmp_arg_cmp has_none(unsigned argument, std::uint64_t bits) { return {argument, SCMP_CMP_MASKED_EQ, bits, 0}; }
scmp_arg_cmp has(unsigned argument, std::uint64_t bit) { return {argument, SCMP_CMP_MASKED_EQ, bit, bit}; }

void refuse_processes(Builder& filter, const FilterOptions& options) {
    for (const std::uint64_t space : {CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER,
                                      CLONE_NEWPID, CLONE_NEWNET, 0x80 /* time */})
        filter.refuse("clone", {has(0, space)});
    if (!options.forks) {   // posix_spawn, vfork and threads remain
        filter.refuse("fork");
        filter.refuse("clone", {has_none(0, CLONE_THREAD | CLONE_VFORK)});
    }
    // /proc/<process>/fd doesn't show the files of a thread with its own descriptor table.
    filter.refuse("clone", {{0, SCMP_CMP_MASKED_EQ, CLONE_THREAD | CLONE_FILES, CLONE_THREAD}});
    // Limits, processors and priorities of other processes. A thread's own number isn't known here, so only 0 means
    // itself.
    for (const char* name : {"prlimit64", "sched_setaffinity", "sched_setscheduler"})
        filter.refuse(name, {is_not(0, 0)});
    filter.refuse("prctl", {is(0, PR_SET_PDEATHSIG)});
    filter.refuse("prctl", {is(0, PR_SET_CHILD_SUBREAPER)});
    // a process that isn't dumpable hides its open files from the grader
    filter.refuse("prctl", {is(0, PR_SET_DUMPABLE)});
    if (options.signals_scoped) return;
    for (const char* name : {"kill", "tgkill"}) filter.refuse(name, {is_not(0, own_number)});
}

void refuse_connections(Builder& filter) {
    filter.refuse("socket", {is_not(0, AF_UNIX)});
    filter.refuse("socketpair", {{1, SCMP_CMP_MASKED_EQ, 0xf, SOCK_DGRAM}});   // it could send to any datagram socket
    filter.refuse("sendto", {is_not(4, 0)});                                   // to an address
}

/// A file or socket can signal any process that it is ready, with a signal of choice: SIGKILL to the grader.
void refuse_owners_of_files(Builder& filter) {
    for (const std::uint64_t command : {F_SETOWN, F_SETOWN_EX}) filter.refuse("fcntl", {is(1, command)});
    for (const std::uint64_t request : {FIOSETOWN, SIOCSPGRP}) filter.refuse("ioctl", {is(1, request)});
}

/// Landlock doesn't control these, which need no more than a file open for reading.
void refuse_attributes_of_files(Builder& filter) {
    for (const std::uint64_t request : {FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR, FS_IOC_SETVERSION})
        filter.refuse("ioctl", {is(1, request)});
}

Program make_program(const FilterOptions& options) {
    Builder filter;
    for (const std::uint64_t request : {0x5412 /* TIOCSTI */, 0x541c /* TIOCLINUX */})
        filter.refuse("ioctl", {is(1, request)});
    filter.refuse("personality", {is_not(0, 0xffffffff)});   // a mere query
    refuse_processes(filter, options);
    refuse_connections(filter);
    refuse_owners_of_files(filter);
    refuse_attributes_of_files(filter);
    // Memory that the grader, who reads /proc, doesn't see: shared anonymous pages that no other process shares and
    // that were unmapped from the process's own. CUDA's driver may need it.
    constexpr std::uint64_t shared = MAP_SHARED | MAP_ANONYMOUS;
    if (options.calls != CallList::cuda_runner) filter.refuse("mmap", {{3, SCMP_CMP_MASKED_EQ, shared, shared}});
    return filter.behind(numbers_alone(allowed_numbers(options.calls)));
}

}  // namespace

SyscallFilter::SyscallFilter(FilterOptions options) {
    static std::mutex mutex;
    static std::map<std::tuple<CallList, bool, bool>, Program> programs;   // each is built once: 1 ms
    const std::lock_guard lock(mutex);
    Program& program = programs[{options.calls, options.forks, options.signals_scoped}];
    if (program.empty()) program = make_program(options);
    program_ = program;
}

bool SyscallFilter::install() noexcept {
    for (sock_filter& instruction : program_)
        if (instruction.k == own_number) instruction.k = static_cast<std::uint32_t>(::getpid());
    const sock_fprog program{static_cast<unsigned short>(program_.size()), program_.data()};
    // Otherwise, kernels before 5.16 would slow down all code of the process, against side channels that don't matter
    // here.
    if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0) return true;
    return errno == EINVAL && ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

bool filters_are_supported() noexcept {
    const std::uint32_t action = SECCOMP_RET_ERRNO;
    return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

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
