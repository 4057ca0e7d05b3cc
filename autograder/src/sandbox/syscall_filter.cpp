// SPDX-License-Identifier: MIT
#include "sandbox/syscall_filter.hpp"

#include <cerrno>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <tuple>

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/open_file.hpp"
#include "support/throw_errno.hpp"

namespace course {

namespace {

// mseal, of Linux 6.10, on x86-64 as on arm64. What later kernels can do nobody has looked at yet.
constexpr std::uint32_t last_known_call = 462;

// Stands for the process's own number, which is known after the fork.
constexpr std::uint32_t own_number = 0x7e5e1f00;

constexpr const char* refused[] = {
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp", "pidfd_getfd",
    "pidfd_send_signal", "move_pages", "migrate_pages",
    // mounts and namespaces
    "mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "open_tree_attr", "fsopen",
    "fsconfig", "fsmount", "fspick", "mount_setattr", "unshare", "setns", "quotactl", "quotactl_fd",
    // features of the kernel that no answer needs and that have been others' way out
    "bpf", "userfaultfd", "keyctl", "add_key", "request_key", "perf_event_open", "io_uring_enter",
    "io_uring_register", "vmsplice", "modify_ldt", "lookup_dcookie", "name_to_handle_at", "open_by_handle_at",
    "fanotify_init", "inotify_init", "inotify_init1", "inotify_add_watch", "uselib", "memfd_secret",
    // what Landlock doesn't watch: rights, owners, times and notes of files, also of those opened to be read
    "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utime", "utimes",
    "utimensat", "futimesat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr",
    "fremovexattr", "removexattrat", "file_setattr", "mknod", "mknodat", "symlink", "symlinkat",
    // what outlives the process
    "shmget", "shmat", "semget", "semop", "semtimedop", "msgget", "msgsnd", "mq_open", "mq_unlink",
    // the machine
    "reboot", "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "swapon", "swapoff",
    "acct", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "stime", "sethostname", "setdomainname",
    "syslog", "vhangup", "iopl", "ioperm", "nfsservctl",
    // connections
    "connect", "sendmmsg",
};

class Builder {
public:
    Builder() : context_(::seccomp_init(SCMP_ACT_ALLOW), ::seccomp_release) {
        if (!context_) throw std::runtime_error("seccomp_init failed");
    }

    /// Refuses the system call where all comparisons hold; a name that this machine's libseccomp doesn't know is none.
    void refuse(const char* name, std::initializer_list<scmp_arg_cmp> comparisons = {}, int error = EPERM) {
        const int number = ::seccomp_syscall_resolve_name(name);
        if (number == __NR_SCMP_ERROR) return;
        const int failed = ::seccomp_rule_add_array(context_.get(), SCMP_ACT_ERRNO(static_cast<std::uint16_t>(error)),
                                                    number, static_cast<unsigned>(comparisons.size()),
                                                    comparisons.size() == 0 ? nullptr : comparisons.begin());
        if (failed != 0) throw std::runtime_error(std::string("seccomp_rule_add failed for ") + name);
    }

    [[nodiscard]] std::vector<sock_filter> program() const {
        ::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);  // a search tree
        const OpenFile file(::memfd_create("course-filter", MFD_CLOEXEC));
        if (!file) throw_errno("memfd_create");
        if (::seccomp_export_bpf(context_.get(), file.get()) != 0)
            throw std::runtime_error("seccomp_export_bpf failed");
        const off_t bytes = ::lseek(file.get(), 0, SEEK_END);
        std::vector<sock_filter> program{
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, last_known_call, 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        };
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
    return {argument, SCMP_CMP_MASKED_EQ, 0xffffffff, value};   // the kernel reads 32 bits, whatever stands above them
}
scmp_arg_cmp is_not(unsigned argument, std::uint64_t value) { return {argument, SCMP_CMP_NE, value, 0}; }
scmp_arg_cmp has_none(unsigned argument, std::uint64_t bits) { return {argument, SCMP_CMP_MASKED_EQ, bits, 0}; }
scmp_arg_cmp has(unsigned argument, std::uint64_t bit) { return {argument, SCMP_CMP_MASKED_EQ, bit, bit}; }

void refuse_processes(Builder& filter, const FilterOptions& options) {
    for (const std::uint64_t space : {CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER,
                                      CLONE_NEWPID, CLONE_NEWNET, 0x80 /* time */})
        filter.refuse("clone", {has(0, space)});
    if (!options.forks) {   // posix_spawn, vfork and threads are left
        filter.refuse("fork");
        filter.refuse("clone", {has_none(0, CLONE_THREAD | CLONE_VFORK)});
    }
    // Of a thread with open files of its own, /proc/<process>/fd shows none.
    filter.refuse("clone", {{0, SCMP_CMP_MASKED_EQ, CLONE_THREAD | CLONE_FILES, CLONE_THREAD}});
    filter.refuse("clone3", {}, ENOSYS);   // its flags lie in memory, out of a filter's sight: glibc takes clone then
    // Limits, processors and priorities of others. A thread's own number isn't known here, so 0 alone means itself.
    for (const char* name : {"prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"})
        filter.refuse(name, {is_not(0, 0)});
    for (const char* name : {"setpriority", "ioprio_set"}) filter.refuse(name, {is_not(1, 0)});
    filter.refuse("setpriority", {is_not(0, PRIO_PROCESS)});
    filter.refuse("ioprio_set", {is_not(0, 1)});
    filter.refuse("prctl", {is(0, PR_SET_PDEATHSIG)});
    filter.refuse("prctl", {is(0, PR_SET_CHILD_SUBREAPER)});
    filter.refuse("prctl", {is(0, PR_SET_DUMPABLE)});   // whoever isn't hides its open files from the grader
    if (options.signals_scoped) return;
    for (const char* name : {"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"})
        filter.refuse(name, {is_not(0, own_number)});
    filter.refuse("tkill");
}

void refuse_connections(Builder& filter, const FilterOptions& options) {
    if (options.gpu) filter.refuse("socket", {is_not(0, AF_UNIX)});
    else filter.refuse("socket");
    filter.refuse("socketpair", {{1, SCMP_CMP_MASKED_EQ, 0xf, SOCK_DGRAM}});   // could send to any datagram socket
    filter.refuse("sendto", {is_not(4, 0)});                                   // to an address
}

/// A file or socket tells whoever it belongs to by a signal of one's choice that it is ready: SIGKILL to the grader.
void refuse_owners_of_files(Builder& filter) {
    for (const std::uint64_t command : {F_SETOWN, F_SETOWN_EX}) filter.refuse("fcntl", {is(1, command)});
    for (const std::uint64_t request : {FIOSETOWN, SIOCSPGRP}) filter.refuse("ioctl", {is(1, request)});
}

/// Memory that a process has and that the grader, who looks into /proc, doesn't see: pages that are shared with nobody
/// and were taken out of the process's own, files in a message that nobody has read. CUDA's driver may need both.
void refuse_unseen_memory(Builder& filter, const FilterOptions& options) {
    if (options.gpu) return;
    constexpr std::uint64_t shared = MAP_SHARED | MAP_ANONYMOUS;
    filter.refuse("mmap", {{3, SCMP_CMP_MASKED_EQ, shared, shared}});
    filter.refuse("sendmsg");
}

std::vector<sock_filter> make_program(const FilterOptions& options) {
    Builder filter;
    for (const char* name : refused) filter.refuse(name);
    filter.refuse("io_uring_setup", {}, ENOSYS);
    for (const std::uint64_t request : {0x5412 /* TIOCSTI */, 0x541c /* TIOCLINUX */})
        filter.refuse("ioctl", {is(1, request)});
    filter.refuse("personality", {is_not(0, 0xffffffff)});   // which only asks
    refuse_processes(filter, options);
    refuse_connections(filter, options);
    refuse_owners_of_files(filter);
    refuse_unseen_memory(filter, options);
    return filter.program();
}

}  // namespace

SyscallFilter::SyscallFilter(FilterOptions options) {
    static std::mutex mutex;
    static std::map<std::tuple<bool, bool, bool>, std::vector<sock_filter>> programs;   // each is made once: 1 ms
    const std::lock_guard lock(mutex);
    std::vector<sock_filter>& program = programs[{options.gpu, options.forks, options.signals_scoped}];
    if (program.empty()) program = make_program(options);
    program_ = program;
}

bool SyscallFilter::install() noexcept {
    for (sock_filter& instruction : program_)
        if (instruction.k == own_number) instruction.k = static_cast<std::uint32_t>(::getpid());
    const sock_fprog program{static_cast<unsigned short>(program_.size()), program_.data()};
    // Kernels before 5.16 would else slow all code of the process, against side channels that aren't at stake here.
    if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0) return true;
    return errno == EINVAL && ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

bool filters_are_supported() noexcept {
    const std::uint32_t action = SECCOMP_RET_ERRNO;
    return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

}  // namespace course
