// SPDX-License-Identifier: MIT
// What a process under a policy can't do, tried in children of this program.

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/sandbox.hpp"
#include "support/files.hpp"
#include "support/folder.hpp"
#include "support/process.hpp"

using namespace course;
using test::Folder;
namespace fs = std::filesystem;

namespace {

constexpr int kept = 9;

/// What `tried` gives (0..255) in a child under the policy; -1 if it could not be put in force, or the child died.
int in_sandbox(const Policy& policy, const std::function<int()>& tried, const Tiers& tiers = available_tiers()) {
    Sandbox sandbox(policy, tiers);
    const pid_t child = ::fork();
    if (child == 0) {
        if (sandbox.enter(kept) != nullptr) ::_exit(255);
        ::_exit(tried());
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) != 255 ? WEXITSTATUS(status) : -1;
}

/// 0, or the errno of an open.
int open_error(const fs::path& path, int flags) {
    const int file = ::open(path.c_str(), flags, 0600);
    if (file < 0) return errno;
    ::close(file);
    return 0;
}

int error_of(long result) { return result < 0 ? errno : 0; }

Policy plain() { return {.paths = system_rules({})}; }

bool has_landlock() {
    if (available_tiers().landlock > 0) return true;
    MESSAGE("SKIP: this kernel has no Landlock");
    return false;
}

}  // namespace

TEST_CASE("files: what isn't named can't be read, listed, written or made") {
    if (!has_landlock()) return;
    const Folder secret, own, given;
    secret.write("answer", "42");
    given.write("kernel.cu", "1");
    own.write("old", "1");
    Policy policy = plain();
    policy.paths.push_back({own.path(), Access::own});
    policy.paths.push_back({given.path(), Access::read});
    const auto open_in = [&](const fs::path& path, int flags) {
        return in_sandbox(policy, [&] { return open_error(path, flags); });
    };
    CHECK(open_in(secret / "answer", O_RDONLY) == EACCES);
    CHECK(open_in(secret / "answer", O_WRONLY) == EACCES);
    CHECK(open_in(secret.path(), O_RDONLY | O_DIRECTORY) == EACCES);
    CHECK(open_in(secret / "new", O_WRONLY | O_CREAT) == EACCES);
    CHECK(open_in("/etc/passwd", O_RDONLY) == EACCES);
    CHECK(open_in("/dev/shm", O_RDONLY) == EACCES);
    CHECK(open_in(given / "kernel.cu", O_RDONLY) == 0);
    CHECK(open_in(given / "kernel.cu", O_RDWR) == EACCES);
    CHECK(open_in(given / "new", O_WRONLY | O_CREAT) == EACCES);
    CHECK(open_in(own / "new", O_RDWR | O_CREAT) == 0);
    CHECK(open_in(own / "old", O_WRONLY | O_TRUNC) == 0);
    CHECK(open_in("/usr/bin/env", O_RDONLY) == 0);
    const int writes_system = open_in("/usr/bin/env", O_WRONLY);
    CHECK((writes_system == EACCES || writes_system == EROFS));   // in a container it may be read-only anyway
    CHECK(open_in("/dev/null", O_RDWR) == 0);
    if (available_tiers().landlock >= 3)
        CHECK(in_sandbox(policy, [&] { return error_of(::truncate((secret / "answer").c_str(), 0)); }) == EACCES);
    CHECK(test::read(secret / "answer") == "42");
}

TEST_CASE("files: no links, pipes, sockets or devices are made, even where files may be") {
    if (!has_landlock()) return;
    const Folder own, secret;
    secret.write("answer", "42");
    Policy policy = plain();
    policy.paths.push_back({own.path(), Access::own});
    CHECK(in_sandbox(policy, [&] { return error_of(::symlink((secret / "answer").c_str(), (own / "a").c_str())); }) ==
          ENOSYS);
    CHECK(in_sandbox(policy, [&] { return error_of(::link((secret / "answer").c_str(), (own / "b").c_str())); }) != 0);
    CHECK(in_sandbox(policy, [&] { return error_of(::mkfifo((own / "c").c_str(), 0600)); }) != 0);
    CHECK(in_sandbox(policy, [&] { return error_of(::rename((secret / "answer").c_str(), (own / "d").c_str())); }) !=
          0);
    CHECK(fs::is_empty(own.path()));
}

TEST_CASE("files: rights, owners and times can't be changed, which Landlock doesn't watch") {
    const Folder own;
    own.write("file", "1");
    Policy policy = plain();
    policy.paths.push_back({own.path(), Access::own});
    const std::string file = (own / "file").string();
    CHECK(in_sandbox(policy, [&] { return error_of(::chmod(file.c_str(), 0)); }) == ENOSYS);
    CHECK(in_sandbox(policy, [&] { return error_of(::fchmod(::open(file.c_str(), O_RDONLY), 0)); }) == ENOSYS);
    CHECK(in_sandbox(policy, [&] { return error_of(::chown(file.c_str(), ::getuid(), ::getgid())); }) == ENOSYS);
    CHECK(in_sandbox(policy, [&] { return error_of(::utimensat(AT_FDCWD, file.c_str(), nullptr, 0)); }) == ENOSYS);
    // Flags of a file that is only open to be read, as chattr sets them.
    for (const unsigned long request : {FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR})
        CHECK(in_sandbox(policy, [&] { return error_of(::ioctl(::open(file.c_str(), O_RDONLY), request, nullptr)); }) ==
              EPERM);
}

TEST_CASE("processes: the parent can't be signalled, looked into, limited or slowed") {
    const pid_t parent = ::getpid();
    for (const int landlock : {available_tiers().landlock, 0}) {   // with Landlock's scopes, and with the filter alone
        CAPTURE(landlock);
        const Tiers tiers{landlock, true};
        const auto tried = [&](const std::function<long()>& call) {
            return in_sandbox(plain(), [&] { return error_of(call()); }, tiers);
        };
        CHECK(tried([&] { return ::kill(parent, 0); }) == EPERM);
        CHECK(tried([&] { return ::kill(parent, SIGCONT); }) == EPERM);
        CHECK(tried([&] { return ::syscall(SYS_tgkill, parent, parent, SIGCONT); }) == EPERM);
        CHECK(tried([&] { return ::kill(::getpid(), 0); }) == 0);
        CHECK(tried([&] { return ::syscall(SYS_tgkill, ::getpid(), ::gettid(), 0); }) == 0);
        CHECK(tried([&] { return ::syscall(SYS_ptrace, 0x4206 /* PTRACE_SEIZE */, parent, 0, 0); }) == ENOSYS);
        CHECK(tried([&] { return ::syscall(SYS_process_vm_readv, parent, 0, 0, 0, 0, 0); }) == ENOSYS);
        CHECK(tried([&] { return ::syscall(SYS_pidfd_send_signal, 0, 0, 0, 0); }) == ENOSYS);
        CHECK(tried([&] {
                  rlimit limit{};
                  return ::prlimit(parent, RLIMIT_NOFILE, nullptr, &limit);
              }) == EPERM);
        CHECK(tried([&] {
                  rlimit limit{};
                  return ::getrlimit(RLIMIT_NOFILE, &limit);
              }) == 0);
        CHECK(tried([&] { return ::setpriority(PRIO_PROCESS, static_cast<id_t>(parent), 19); }) == ENOSYS);
        CHECK(tried([&] {
                  cpu_set_t one;
                  CPU_ZERO(&one);
                  CPU_SET(0, &one);
                  return ::sched_setaffinity(parent, sizeof one, &one);
              }) == EPERM);
    }
    if (!has_landlock()) return;
    const std::string folder = "/proc/" + std::to_string(parent);
    for (const char* file : {"/mem", "/environ", "/maps", "/auxv"}) {
        CAPTURE(file);
        CHECK(in_sandbox(plain(), [&] { return open_error(folder + file, O_RDONLY); }) == EACCES);
    }
    CHECK(in_sandbox(plain(), [&] { return open_error(folder + "/oom_score_adj", O_WRONLY); }) == EACCES);
    CHECK(in_sandbox(plain(), [&] { return open_error(folder + "/fd/0", O_RDONLY); }) == EACCES);
    CHECK(in_sandbox(plain(), [&] { return open_error("/proc/self/maps", O_RDONLY); }) == 0);
}

TEST_CASE("processes: threads and programs start, copies of itself don't") {
    CHECK(in_sandbox(plain(), [] { return error_of(::fork()); }) == EPERM);
    CHECK(in_sandbox(plain(), [] { return error_of(::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }) == EPERM);
    CHECK(in_sandbox(plain(), [] { return error_of(::unshare(CLONE_NEWUSER)); }) == ENOSYS);
    CHECK(in_sandbox(plain(), [] {
              clone_args arguments{};
              return error_of(::syscall(SYS_clone3, &arguments, sizeof arguments));
          }) == ENOSYS);
    CHECK(in_sandbox(plain(), [] { return std::system("exit 7") >> 8; }) == 7);
}

TEST_CASE("connections: none, but for pairs of sockets within the process") {
    CHECK(in_sandbox(plain(), [] { return error_of(::socket(AF_INET, SOCK_STREAM, 0)); }) == ENOSYS);
    CHECK(in_sandbox(plain(), [] { return error_of(::socket(AF_UNIX, SOCK_STREAM, 0)); }) == ENOSYS);
    CHECK(in_sandbox(plain(), [] {
              int pair[2];
              return error_of(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
          }) == 0);
    CHECK(in_sandbox(plain(), [] {
              int pair[2];
              return error_of(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair)) +
                     (::send(pair[0], "x", 1, 0) == 1 ? 0 : 1);
          }) == 0);
    CHECK(in_sandbox(plain(), [] {
              int pair[2];
              return error_of(::socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
          }) == EPERM);
    Policy gpu = plain();
    gpu.calls = CallList::cuda_runner;
    CHECK(in_sandbox(gpu, [] { return error_of(::socket(AF_UNIX, SOCK_SEQPACKET, 0)); }) == 0);
    CHECK(in_sandbox(gpu, [] { return error_of(::socket(AF_INET, SOCK_DGRAM, 0)); }) == EPERM);
    CHECK(in_sandbox(gpu, [] {
              const int made = ::socket(AF_UNIX, SOCK_STREAM, 0);
              sockaddr_un address{};
              address.sun_family = AF_UNIX;
              return error_of(::connect(made, reinterpret_cast<sockaddr*>(&address), sizeof address));
          }) == ENOSYS);
}

TEST_CASE("the kernel's rarer doors are closed, and nothing outlives the process") {
    // The last are setxattrat, removexattrat, open_tree_attr and file_setattr, and numbers that no kernel has yet.
    constexpr long doors[] = {
        SYS_bpf,    SYS_userfaultfd, SYS_keyctl,   SYS_perf_event_open,   SYS_mount,          SYS_setns,
        SYS_chroot, SYS_semget,      SYS_shmget,   SYS_open_by_handle_at, SYS_io_uring_enter, SYS_io_uring_setup,
        SYS_msgget, SYS_mq_open,     SYS_kcmp,     SYS_inotify_add_watch, SYS_setxattr,       SYS_fremovexattr,
        SYS_setuid, SYS_symlinkat,   SYS_seccomp,  SYS_pidfd_getfd,       SYS_mount_setattr,  SYS_open_tree,
        463,        466,             467,          469,                   511,                1000};
    for (const CallList list : {CallList::compiler, CallList::runner, CallList::cuda_runner}) {
        Policy policy = plain();
        policy.calls = list;
        for (const long number : doors) {
            CAPTURE(number);
            CHECK(in_sandbox(policy, [&] { return error_of(::syscall(number, -1, 0, 0, 0, 0, 0)); }) == ENOSYS);
        }
    }
    CHECK(in_sandbox(plain(), [] { return error_of(::syscall(SYS_personality, 0x0040000)); }) == EPERM);
    CHECK(in_sandbox(plain(), [] { return ::syscall(SYS_personality, 0xffffffff) >= 0 ? 0 : errno; }) == 0);
    CHECK(in_sandbox(plain(), [] { return error_of(::prctl(PR_SET_PDEATHSIG, 0)); }) == EPERM);
}

TEST_CASE("root is an ordinary user there, also after another program was started") {
    const auto capabilities = [] {
        return std::system("while read -r name value; do case $name in CapPrm:|CapEff:|CapBnd:) "
                           "[ \"$value\" = 0000000000000000 ] || exit 3;; esac; done </proc/self/status");
    };
    if (::geteuid() == 0) CHECK(in_sandbox(plain(), [&] { return capabilities() >> 8; }) == 0);
    CHECK(in_sandbox(plain(), [] { return ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); }) == 1);
}

TEST_CASE("root reads a kit that lies in somebody else's closed home, and changes nothing there") {
    if (::geteuid() != 0 || !has_landlock()) return;
    const Folder home;
    home.write("course/libgpu.so", "1");
    home.write("diary", "2");
    REQUIRE(::chmod(home.path().c_str(), 0700) == 0);
    REQUIRE(::chown(home.path().c_str(), 65534, 65534) == 0);
    Policy policy = plain();
    policy.paths.push_back({home / "course", Access::read});
    CHECK(in_sandbox(policy, [&] { return open_error(home / "course/libgpu.so", O_RDONLY); }) == 0);
    CHECK(in_sandbox(policy, [&] { return open_error(home / "course/libgpu.so", O_RDWR); }) == EACCES);
    CHECK(in_sandbox(policy, [&] { return open_error(home / "diary", O_RDONLY); }) == EACCES);
}

TEST_CASE("a GPU's driver can name its threads, and nobody else's") {
    if (!has_landlock()) return;
    Policy gpu = plain();
    gpu.calls = CallList::cuda_runner;
    const std::string own = "/proc/self/task/", name = "/comm";
    const auto rename_own = [&] { return open_error(own + std::to_string(::gettid()) + name, O_WRONLY | O_TRUNC); };
    CHECK(in_sandbox(gpu, rename_own) == 0);
    CHECK(in_sandbox(plain(), rename_own) == EACCES);
    const std::string parent = "/proc/" + std::to_string(::getpid()) + "/comm";
    CHECK(in_sandbox(gpu, [&] { return open_error(parent, O_WRONLY | O_TRUNC); }) == EACCES);
}

TEST_CASE("a machine without one part has the others, and says what is open") {
    const Tiers none{0, false}, filter{0, true};
    CHECK(none.names() == std::vector<std::string>{"limits"});
    CHECK(filter.names() == std::vector<std::string>{"seccomp", "limits"});
    CHECK(Tiers{7, true}.names() == std::vector<std::string>{"landlock 7", "seccomp", "limits"});
    CHECK(Tiers{7, true}.text() == "Landlock 7 (files, TCP, signals), seccomp, no new privileges, limits");
    CHECK(Tiers{3, true}.text() == "Landlock 3 (files), seccomp, no new privileges, limits");
    CHECK(Tiers{7, true, true, true}.text() ==
          "Landlock 7 (files, TCP, signals), seccomp, a user of its own, no new privileges, a cgroup, limits");
    CHECK(Tiers{7, true}.missing().empty());
    CHECK(none.missing().size() == 2);
    const Folder secret;
    secret.write("answer", "42");
    CHECK(in_sandbox(plain(), [&] { return open_error(secret / "answer", O_RDONLY); }, filter) == 0);
    CHECK(in_sandbox(plain(), [] { return error_of(::socket(AF_INET, SOCK_STREAM, 0)); }, filter) == ENOSYS);
    CHECK(in_sandbox(plain(), [] { return error_of(::chmod("/", 0755)); }, filter) == ENOSYS);
}

TEST_CASE("which programs are put into the sandbox, and what is then in force") {
    const Tiers all{7, true, true, true}, all_on_gpu{7, true, false, true};
    const std::vector<std::string> limits{"limits"};
    CHECK(all.names() == std::vector<std::string>{"landlock 7", "seccomp", "user", "cgroup", "limits"});
    const auto use = [](const char* word) {
        ::setenv("COURSE_SANDBOX", word, 1);
        const SandboxUse read = sandbox_use_of_environment();
        ::unsetenv("COURSE_SANDBOX");
        return read;
    };
    ::unsetenv("COURSE_SANDBOX");
    CHECK(sandbox_use_of_environment() == SandboxUse::everywhere);
    for (const char* word : {"", "on", "host", "off"}) {
        CAPTURE(word);
        const bool host = std::string(word) != "off", gpu = host && std::string(word) != "host";
        CHECK(compiles_in_sandbox(use(word)) == host);
        CHECK(runs_in_sandbox(use(word), false) == host);
        CHECK(runs_in_sandbox(use(word), true) == gpu);
        CHECK(tiers_around_answer(use(word), false, all).names() == (host ? all.names() : limits));
        CHECK(tiers_around_answer(use(word), true, all).names() == (gpu ? all_on_gpu.names() : limits));
    }
    CHECK_THROWS_WITH(use("yes"), "COURSE_SANDBOX is \"yes\"; it can be on (the default), host or off");
    ::unsetenv("COURSE_SANDBOX");
}

TEST_CASE("the numbers of separate users exist, or they don't") {
    CHECK(maps_separate_ids("         0          0 4294967295\n"));
    CHECK(maps_separate_ids("0 1000 1\n1 100000 65536\n"));
    CHECK_FALSE(maps_separate_ids("         0       1000          1\n"));
    CHECK_FALSE(maps_separate_ids("0 100000 65519\n"));   // all but the last one
    CHECK_FALSE(maps_separate_ids(""));
    CHECK_FALSE(maps_separate_ids("nonsense\n"));
}

TEST_CASE("a path is open to a user who can read it and pass all folders above") {
    const Folder folder;
    const SeparateUser user{first_separate_id, last_separate_id};
    const fs::path inner = folder.path() / "inner", file = inner / "file";
    fs::create_directory(inner);
    write_file(file, "text");
    const auto open_with = [&](int of_inner, int of_file) {
        ::chmod(inner.c_str(), static_cast<mode_t>(of_inner));
        ::chmod(file.c_str(), static_cast<mode_t>(of_file));
        return is_open_to(user, file);
    };
    ::chmod(folder.path().c_str(), 0755);
    CHECK(open_with(0755, 0644));
    CHECK(open_with(0711, 0604));
    CHECK_FALSE(open_with(0700, 0644));
    CHECK_FALSE(open_with(0755, 0640));
    CHECK_FALSE(is_open_to(user, inner / "another"));
    if (::geteuid() == 0) {
        let_pass(user.group, inner);
        ::chmod(file.c_str(), 0644);
        CHECK(is_open_to(user, file));
        CHECK_FALSE(is_open_to({user.user, user.group - 1}, file));
        give_folder(user, inner);
        CHECK(is_open_to(user, inner));
        CHECK_FALSE(is_open_to({user.user + 1, user.group}, inner));
    }
}

TEST_CASE("a separate user reads and reaches nothing of the grader's, on a kernel without Landlock and seccomp, too") {
    if (!can_separate_users()) {
        MESSAGE("SKIP: only root can give processes a user of their own");
        return;
    }
    const std::vector<SeparateUser> users = draw_separate_users(3);
    CHECK(users[0].group == users[2].group);
    CHECK(users[0].user != users[1].user);
    CHECK(users[1].user != users[2].user);
    for (const SeparateUser& one : users) CHECK((one.user >= first_separate_id && one.user <= last_separate_id));
    const Folder folder;
    ::chmod(folder.path().c_str(), 0755);
    const fs::path secret = folder.path() / "secret", own = folder.path() / "own";
    write_file(secret, "token");
    ::chmod(secret.c_str(), 0600);
    fs::create_directory(own);
    give_folder(users[0], own);
    Policy policy;
    policy.as = users[0];
    const auto as_user = [&](const std::function<int()>& tried) {
        return in_sandbox(policy, tried, {.landlock = 0, .seccomp = false, .users = true});
    };
    CHECK(as_user([&] { return ::getuid() == users[0].user && ::getegid() == users[0].group ? 1 : 2; }) == 1);
    CHECK(as_user([] { return ::getgroups(0, nullptr) == 0 ? 1 : 2; }) == 1);
    CHECK(as_user([&] { return open_error(secret, O_RDONLY); }) == EACCES);
    CHECK(as_user([&] { return open_error(folder.path() / "new", O_WRONLY | O_CREAT); }) == EACCES);
    CHECK(as_user([&] { return open_error(own / "new", O_WRONLY | O_CREAT); }) == 0);
    CHECK(as_user([] { return error_of(::kill(::getppid(), 0)); }) == EPERM);
    CHECK(as_user([] { return open_error(fmt::format("/proc/{}/mem", ::getppid()), O_RDWR); }) == EACCES);
    CHECK(as_user([] { return error_of(::setresuid(0, 0, 0)); }) == EPERM);
    CHECK(as_user([] { return error_of(::chroot("/")); }) == EPERM);
    // It goes when the grader goes.
    Sandbox sandbox(policy, {.landlock = 0, .seccomp = false, .users = true});
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGUSR1);
        int signal = 0;
        if (sandbox.enter(kept) != nullptr || ::prctl(PR_GET_PDEATHSIG, &signal) != 0) ::_exit(1);
        ::_exit(signal == SIGUSR1 ? 0 : 2);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
}

// course_sandbox_test --no-skip --test-case='*cost*': pairs of the same program, with the sandbox and without.
TEST_CASE("what the sandbox costs" * doctest::skip()) {
    const Folder folder;
    folder.write("answer.cpp", "#include <vector>\nstd::vector<float> f(std::vector<float> x) { return x; }\n");
    using Seconds = std::chrono::duration<double>;
    const auto seconds = [&](const std::vector<std::string>& arguments, bool sandboxed) {
        const auto start = std::chrono::steady_clock::now();
        Command command{.arguments = arguments, .environment = {}, .folder = folder.path()};
        command.environment = {"PATH=/usr/bin:/bin", "TMPDIR=" + folder.path().string()};
        std::optional<Sandbox> sandbox;
        if (sandboxed) {
            Policy policy{.paths = system_rules(surroundings_of_environment())};
            policy.paths.push_back({folder.path(), Access::own});
            sandbox.emplace(policy);
            command.before_start = [&] { return sandbox->enter() == nullptr; };
        }
        CHECK(run_process(command).succeeded());
        return Seconds(std::chrono::steady_clock::now() - start).count();
    };
    const std::pair<const char*, std::vector<std::string>> programs[] = {
        {"a program that ends at once", {"true"}},
        {"a compiler", {"c++", "-O1", "-c", "answer.cpp", "-o", "answer.o"}}};
    for (const auto& [name, arguments] : programs) {
        std::vector<double> with, without, more;
        for (int pair = 0; pair < 21; ++pair) {
            without.push_back(seconds(arguments, false));
            with.push_back(seconds(arguments, true));
            more.push_back(with.back() - without.back());
        }
        for (std::vector<double>* one : {&with, &without, &more})
            std::nth_element(one->begin(), one->begin() + 10, one->end());
        MESSAGE(fmt::format("{}: {:.2f} ms with it, {:.2f} ms without; median of the pairs' differences {:.2f} ms",
                            name, 1e3 * with[10], 1e3 * without[10], 1e3 * more[10]));
    }
}
