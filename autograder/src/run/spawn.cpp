// SPDX-License-Identifier: MIT
#include "run/spawn.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/protocol_reference.hpp"
#include "sandbox/sandbox.hpp"
#include "support/files.hpp"
#include "support/process.hpp"

namespace course {
namespace {

constexpr int error_fd = 6;  // the runner's end of the pipe that reports a failed start; closed by exec
constexpr int sandbox_fd = 7;  // what the sandbox may keep open

// What the child tells if it can't become the runner.
struct StartError {
    int number;
    char step[40];
};

// What the runner gets from the grader's environment, besides libgpu's own switches (LIBGPU_...).
constexpr std::string_view passed_on[] = {"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_HOME",    "CUDA_PATH",
                                          "ASAN_OPTIONS",    "UBSAN_OPTIONS",        "TSAN_OPTIONS"};

struct Limit {
    int resource;
    rlim_t value;
};

// Never RLIMIT_AS: CUDA reserves far more address space than it uses. RLIMIT_NPROC only for a user of its own: it
// counts all of the user's processes. A core size of 1 also keeps crash collectors away, which ignore 0 and take
// seconds.
constexpr Limit limits[] = {{RLIMIT_CORE, 1}, {RLIMIT_FSIZE, rlim_t{256} << 20}, {RLIMIT_NOFILE, 1024}};

constexpr rlim_t most_processes = 8192;   // with its threads; the grader ends a call at fewer

// Everything the child needs, made before fork: after it, only async-signal-safe functions are called.
struct ChildPlan {
    const char* folder;
    char* const* arguments;
    char* const* environment;
    int sources[7];   ///< the descriptor that becomes number k
    pid_t parent;
    Sandbox* sandbox;   ///< or null
    bool separate_user;
    const Cgroup* group;   ///< or null
};

[[noreturn]] void give_up(int report, const char* step) noexcept {
    StartError error{errno, {}};
    for (int k = 0; step[k] != '\0' && k < 39; ++k) error.step[k] = step[k];
    [[maybe_unused]] const ssize_t written = ::write(report, &error, sizeof error);
    ::_exit(127);
}

/// At most what the grader has: in a container root may not have more, either.
bool set_limit(const Limit& limit) noexcept {
    const auto resource = static_cast<__rlimit_resource_t>(limit.resource);
    rlimit old{};
    ::getrlimit(resource, &old);
    const rlim_t value = old.rlim_max < limit.value ? old.rlim_max : limit.value;
    const rlimit wanted{value, value};
    return ::setrlimit(resource, &wanted) == 0;
}

void close_from(unsigned first) noexcept {
    if (::close_range(first, ~0u, 0) == 0) return;
    for (int descriptor = static_cast<int>(first); descriptor < 65536; ++descriptor) ::close(descriptor);
}

[[noreturn]] void become_runner(const ChildPlan& plan) noexcept {
    const int report = plan.sources[error_fd];
    if (::setsid() < 0) give_up(report, "setsid");
    // Dies with the grader; the second look is for a grader that died before the first took effect.
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up(report, "prctl(PR_SET_PDEATHSIG)");
    if (::getppid() != plan.parent) ::_exit(127);
    if (plan.group != nullptr && !plan.group->enter()) give_up(report, "a cgroup of its own");
    for (const Limit& one : limits)
        if (!set_limit(one)) give_up(report, "setrlimit");
    // A user of its own has no other processes.
    if (plan.separate_user && !set_limit({RLIMIT_NPROC, most_processes})) give_up(report, "setrlimit");
    for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (::chdir(plan.folder) != 0) give_up(report, "chdir to the working folder");
    for (int number = 0; number <= error_fd; ++number) {
        if (::dup2(plan.sources[number], number) < 0) give_up(report, "dup2");
    }
    ::fcntl(error_fd, F_SETFD, FD_CLOEXEC);
    ::close(sandbox_fd);
    if (plan.sandbox != nullptr) {
        if (const char* step = plan.sandbox->enter(sandbox_fd)) give_up(error_fd, step);
        if (::getppid() != plan.parent) ::_exit(127);   // and again: the user has changed
    } else if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        give_up(error_fd, "prctl(PR_SET_NO_NEW_PRIVS)");
    }
    close_from(sandbox_fd + 1);
    ::execve(plan.arguments[0], plan.arguments, plan.environment);
    give_up(error_fd, "execve");
}

// A copy above the numbers that the runner's own descriptors get, so that no dup2 overwrites one still needed.
OpenFile lift(int descriptor) {
    OpenFile high(::fcntl(descriptor, F_DUPFD_CLOEXEC, 16));
    if (!high) throw_errno("fcntl(F_DUPFD_CLOEXEC)");
    return high;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (std::string& text : texts) list.push_back(text.data());
    list.push_back(nullptr);
    return list;
}

}  // namespace

std::vector<std::string> runner_environment(const SessionOptions& options) {
    const char* path = std::getenv("PATH");
    std::vector<std::string> environment = {
        std::string("PATH=") + (path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin"),
        "LANG=C.UTF-8",
        "HOME=" + options.scratch.string(),
        "TMPDIR=" + options.scratch.string(),
        "LIBGPU_DEVICE=" + options.device,
        "LIBGPU_CACHE_DIR=" + options.kernel_cache.string(),
        "LIBGPU_GUARD=1",
    };
    // Code on the host backend finds what it finds on a machine without a GPU.
    const bool on_host = options.device.starts_with("host");
    if (on_host) environment.emplace_back("CUDA_VISIBLE_DEVICES=");
    if (options.devices > 0) environment.push_back("LIBGPU_HOST_DEVICES=" + std::to_string(options.devices));
    for (char** entry = ::environ; *entry != nullptr; ++entry) {
        const std::string_view variable = *entry, name = variable.substr(0, variable.find('='));
        const auto is_named = [&](std::string_view wanted) { return name == wanted; };
        const bool is_ours = name == "LIBGPU_DEVICE" || name == "LIBGPU_CACHE_DIR" || name == "LIBGPU_GUARD" ||
                             (on_host && name == "CUDA_VISIBLE_DEVICES") ||
                             (options.devices > 0 && name == "LIBGPU_HOST_DEVICES");
        if (is_ours) continue;
        if (std::any_of(std::begin(passed_on), std::end(passed_on), is_named) || name.starts_with("LIBGPU_")) {
            environment.emplace_back(variable);
        }
    }
    return environment;
}

Policy runner_policy(const SessionOptions& options) {
    const bool on_gpu = !options.device.starts_with("host");
    Policy policy{.paths = system_rules(options.around), .calls = on_gpu ? CallList::cuda_runner : CallList::runner,
                  .forks = options.around.compiler_is_script};
    policy.paths.push_back({std::filesystem::absolute(options.runner), Access::run});
    if (!options.object.empty())
        policy.paths.push_back({std::filesystem::absolute(options.object).parent_path(), Access::read});
    for (const char* source : {"/dev/random", "/dev/urandom"}) policy.paths.push_back({source, Access::read});
    policy.paths.push_back({options.scratch, Access::own});
    policy.paths.push_back({options.kernel_cache, Access::own});
    if (const char* dump = std::getenv("LIBGPU_DUMP"); dump != nullptr && *dump != '\0')
        policy.paths.push_back({dump, Access::own});
    policy.as = options.as;
    if (on_gpu)
        for (PathRule& rule : gpu_rules()) policy.paths.push_back(std::move(rule));
    return policy;
}

pid_t spawn_runner(const SessionOptions& options, const RunnerDescriptors& descriptors, const Cgroup* group) {
    const std::filesystem::path runner = std::filesystem::absolute(options.runner);
    std::vector<std::string> arguments = {runner.string(), options.object.empty()
                                                               ? protocol::reference_option
                                                               : std::filesystem::absolute(options.object).string()};
    std::vector<std::string> environment = runner_environment(options);
    const std::vector<char*> argument_list = pointers(arguments), environment_list = pointers(environment);

    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw_errno("pipe");
    const OpenFile report(ends[0]);
    OpenFile reporting(ends[1]);
    OpenFile null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!null) throw_errno("open of /dev/null");
    OpenFile sources[] = {lift(null.get()),          lift(descriptors.printed), lift(descriptors.printed),
                                lift(descriptors.socket),  lift(descriptors.input),   lift(descriptors.output),
                                lift(reporting.get())};
    std::optional<Sandbox> sandbox;
    if (options.sandboxed) sandbox.emplace(runner_policy(options));
    ChildPlan plan{options.scratch.c_str(), argument_list.data(), environment_list.data(), {}, ::getpid(),
                   sandbox ? &*sandbox : nullptr, sandbox && options.as, group};
    for (int number = 0; number <= error_fd; ++number) plan.sources[number] = sources[number].get();

    const pid_t process = start_noted_process([&] {
        const pid_t id = ::fork();
        if (id == 0) become_runner(plan);
        return id;
    });
    if (process < 0) throw_errno("fork");

    reporting = OpenFile();
    sources[error_fd] = OpenFile();
    StartError error{};
    ssize_t size = 0;
    while ((size = ::read(report.get(), &error, sizeof error)) < 0 && errno == EINTR) {}
    if (size == 0) return process;  // exec closed the pipe
    forget_process(process);
    ::waitpid(process, nullptr, 0);
    error.step[sizeof error.step - 1] = '\0';
    throw std::system_error(error.number, std::generic_category(),
                            "cannot start " + runner.string() + " (" + error.step + ")");
}

}  // namespace course
