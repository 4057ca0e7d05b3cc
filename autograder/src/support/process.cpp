// SPDX-License-Identifier: MIT
#include "support/process.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

struct Noted {
    std::mutex mutex;
    std::set<pid_t> processes;
    std::set<fs::path> paths;
    std::map<std::uint64_t, std::function<void()>> actions;   ///< in order of registration
    std::uint64_t next_action = 0;
};

/// Never destroyed: the signal thread may use it while the program ends.
Noted& noted() {
    static Noted& instance = *new Noted;
    return instance;
}

std::atomic<int> ending{0};
thread_local bool ends_this_program = false;  ///< this thread holds the lock for good

class Lock {
public:
    Lock() {
        if (!ends_this_program) noted().mutex.lock();
    }
    ~Lock() {
        if (!ends_this_program) noted().mutex.unlock();
    }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
};

void remove_quietly(const fs::path& path) noexcept {
    for (int attempt = 0; attempt < 3; ++attempt)   // a process being killed may still write into it
        if (remove_tree(path)) return;
}

[[noreturn]] void end(int signal, const std::function<void()>& before) {
    Noted& all = noted();
    all.mutex.lock();   // never unlocked: no other thread starts anything any more
    ends_this_program = true;
    ending = signal;
    for (const auto& [number, action] : all.actions) action();
    if (before) before();
    for (const pid_t process : all.processes) ::kill(-process, SIGKILL);
    for (const fs::path& path : all.paths) remove_quietly(path);
    static constexpr char text[] = "\ncourse: interrupted; your files are as they were\n";
    if (signal != SIGHUP) {
        [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, sizeof text - 1);
    }
    ::_exit(128 + signal);
}

}  // namespace

void clean_up_on_signals(std::function<void()> before) {
    std::signal(SIGPIPE, SIG_IGN);   // `course run 8 | head -1` must clean up, too,
    std::signal(SIGXFSZ, SIG_IGN);   // and so must a run under `ulimit -f`: both become errors of write()
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action {};
        sigaction(signal, nullptr, &action);
        if (action.sa_handler != SIG_IGN) sigaddset(&signals, signal);   // keep nohup's setting
    }
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread([signals, before = std::move(before)] {
        int signal = 0;
        while (sigwait(&signals, &signal) != 0) {}
        end(signal, before);
    }).detach();
}

void forget_process(pid_t process) noexcept {
    const Lock lock;
    noted().processes.erase(process);
}

bool is_noted_process(pid_t process) noexcept {
    const Lock lock;
    return noted().processes.contains(process);
}

int ending_signal() noexcept { return ending; }

SignalCleanup::SignalCleanup(std::function<void()> action) {
    const std::lock_guard lock(noted().mutex);
    number_ = noted().next_action++;
    noted().actions.emplace(number_, std::move(action));
}

SignalCleanup::~SignalCleanup() {
    const std::lock_guard lock(noted().mutex);
    noted().actions.erase(number_);
}

TemporaryPath::TemporaryPath(fs::path path) : path_(std::move(path)) {
    const std::lock_guard lock(noted().mutex);
    noted().paths.insert(path_);
}

TemporaryPath::~TemporaryPath() {
    remove_quietly(path_);
    const std::lock_guard lock(noted().mutex);
    noted().paths.erase(path_);
}

ProcPath::ProcPath(pid_t process, const char* file) noexcept {
    char* end = std::copy_n("/proc/", 6, text_);
    end = std::to_chars(end, end + 12, process).ptr;
    *end++ = '/';
    std::strncpy(end, file, 20);
}

std::string_view read_proc_file(pid_t process, const char* file, std::span<char> buffer) noexcept {
    const int descriptor = ::open(ProcPath(process, file).get(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return {};
    const ssize_t size = ::read(descriptor, buffer.data(), buffer.size());
    ::close(descriptor);
    return {buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

std::int64_t next_number(std::string_view& text) noexcept {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    std::int64_t value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value).ptr;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

// "pid (name, which may contain blanks and brackets) state parent group session ...", proc(5)'s fields 1 to 6.
ProcessStat stat_of(pid_t process) noexcept {
    std::array<char, 512> buffer;
    std::string_view text = read_proc_file(process, "stat", buffer);
    const std::size_t bracket = text.rfind(')');
    if (bracket == std::string_view::npos || text.size() < bracket + 4) return {};
    text.remove_prefix(bracket + 4);
    ProcessStat stat;
    for (int field = 4; field <= 22; ++field) {
        const std::int64_t value = next_number(text);
        if (field == 4) stat.parent = static_cast<pid_t>(value);
        if (field == 6) stat.session = static_cast<pid_t>(value);
        if (field == 20) stat.threads = static_cast<std::uint64_t>(value);
        if (field == 22) stat.begin = static_cast<std::uint64_t>(value);
    }
    return stat;
}

namespace {

struct Pipe {
    UniqueFd read_end, write_end;
    Pipe() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) return;
        read_end = UniqueFd(ends[0]);
        write_end = UniqueFd(ends[1]);
    }
};

/// What the new process tells if it can't become the program.
struct StartError {
    int number;
    char step[40];
};

[[noreturn]] void give_up(int report, const char* step) noexcept {
    StartError error{errno, {}};
    std::strncpy(error.step, step, sizeof error.step - 1);
    [[maybe_unused]] const ssize_t written = ::write(report, &error, sizeof error);
    ::_exit(127);
}

/// Between fork and exec: async-signal-safe calls alone. posix_spawn can set neither limits nor the signal that follows
/// the parent's death, nor enter a sandbox.
/// @param sources become the numbers 0, 1, 2, ...; the last one is for what went wrong, and exec closes it
[[noreturn]] void become(const ProgramStart& start, std::span<const int> sources, char* const* arguments,
                         char* const* environment, pid_t parent) noexcept {
    const int count = static_cast<int>(sources.size());
    int report = sources.back();
    if (::setsid() < 0) give_up(report, "setsid");   // away from the terminal's Ctrl-C
    // The second look is for a parent that died before this took effect.
    if (::prctl(PR_SET_PDEATHSIG, start.death_signal) != 0) give_up(report, "prctl(PR_SET_PDEATHSIG)");
    if (::getppid() != parent) ::_exit(127);
    if (const char* step = start.first ? start.first() : nullptr) give_up(report, step);
    for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (!start.folder.empty() && ::chdir(start.folder.c_str()) != 0) give_up(report, "chdir to the working folder");
    for (int number = 0; number < count; ++number)
        if (::dup2(sources[static_cast<std::size_t>(number)], number) < 0) give_up(report, "dup2");
    report = count - 1;
    ::fcntl(report, F_SETFD, FD_CLOEXEC);
    ::close(count);
    const bool exec_closes = ::close_range(static_cast<unsigned>(count) + 1, ~0u, CLOSE_RANGE_CLOEXEC) == 0;
    if (const char* step = start.last ? start.last(count) : nullptr) give_up(report, step);
    if (::getppid() != parent) ::_exit(127);   // and again: the user may have changed
    for (int other = count + 1; !exec_closes && other < 65536; ++other) ::close(other);   // before Linux 5.11
    const auto execute = std::strchr(arguments[0], '/') != nullptr ? ::execve : ::execvpe;
    execute(arguments[0], arguments, environment);
    give_up(report, "execve");
}

/// A copy above the numbers that the program's own descriptors get, so that no dup2 overwrites one still needed.
UniqueFd lift(int descriptor) {
    UniqueFd high(::fcntl(descriptor, F_DUPFD_CLOEXEC, 16));
    if (!high) throw_errno("fcntl(F_DUPFD_CLOEXEC)");
    return high;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
    result.push_back(nullptr);
    return result;
}

}  // namespace

pid_t start_process(const ProgramStart& start) {
    const std::vector<char*> arguments = pointers(start.arguments), environment = pointers(start.environment);
    Pipe report;
    if (!report.read_end) throw_errno("pipe");
    std::vector<UniqueFd> high;
    for (const int one : start.descriptors) {
        const UniqueFd null(one < 0 ? ::open("/dev/null", (high.empty() ? O_RDONLY : O_WRONLY) | O_CLOEXEC) : -1);
        high.push_back(lift(null ? null.get() : one));
    }
    high.push_back(lift(report.write_end.get()));
    std::vector<int> sources;
    for (const UniqueFd& one : high) sources.push_back(one.get());
    const pid_t parent = ::getpid();
    pid_t process = -1;
    {
        const Lock lock;
        process = ::fork();
        if (process == 0) become(start, sources, arguments.data(), environment.data(), parent);
        if (process > 0) noted().processes.insert(process);
    }
    if (process < 0) throw_errno("fork");
    report.write_end.reset();
    high.clear();
    StartError error{};
    ssize_t size = 0;
    while ((size = ::read(report.read_end.get(), &error, sizeof error)) < 0 && errno == EINTR) {}
    if (size == 0) return process;   // exec closed the pipe
    forget_process(process);
    ::waitpid(process, nullptr, 0);
    throw std::system_error(error.number, std::generic_category(),
                            fmt::format("cannot start {} ({})", start.arguments[0], error.step));
}

namespace {

using Clock = std::chrono::steady_clock;

void limit(int resource, std::size_t value) {
    const rlimit both{value, value};
    ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

/// The two ends of a terminal of its own that passes text on as it is; a pipe where the system has no such thing.
Pipe terminal() {
    Pipe ends;
    UniqueFd master(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    char name[64];
    if (!master || ::grantpt(master.get()) != 0 || ::unlockpt(master.get()) != 0 ||
        ::ptsname_r(master.get(), name, sizeof name) != 0)
        return Pipe();
    UniqueFd slave(::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
    termios settings{};
    if (!slave || ::tcgetattr(slave.get(), &settings) != 0) return Pipe();
    settings.c_oflag &= ~static_cast<tcflag_t>(OPOST);
    if (::tcsetattr(slave.get(), TCSANOW, &settings) != 0) return Pipe();
    ends.read_end = std::move(master);
    ends.write_end = std::move(slave);
    return ends;
}

/// Reads until the other side has closed its end. False if that took longer than the deadline.
bool read_output(int from, Clock::time_point deadline, const Command& command, std::string& output) {
    const std::size_t max_bytes = command.output_bytes;
    char buffer[65536];
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) return false;
        pollfd ready{from, POLLIN, 0};
        if (::poll(&ready, 1, static_cast<int>(left)) <= 0) continue;
        const ssize_t got = ::read(from, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return true;
        if (command.on_output) command.on_output({buffer, static_cast<std::size_t>(got)});
        output.append(buffer, std::min(static_cast<std::size_t>(got), max_bytes - std::min(max_bytes, output.size())));
    }
}

}  // namespace

std::vector<std::string> own_environment(const std::vector<std::string>& changes) {
    std::vector<std::string> variables;
    for (char** one = ::environ; one != nullptr && *one != nullptr; ++one) variables.emplace_back(*one);
    for (const std::string& change : changes) {
        const std::string name = change.substr(0, change.find('=') + 1);
        std::erase_if(variables, [&](const std::string& one) { return one.starts_with(name); });
        if (change != name) variables.push_back(change);
    }
    return variables;
}

ProcessResult run_process(const Command& command) {
    using Ending = ProcessResult::Ending;
    const auto deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(command.seconds));
    Pipe output = command.by_line ? terminal() : Pipe();
    if (!output.read_end) return {Ending::not_started, errno, ""};
    const int printed = output.write_end.get();
    const double cpu_seconds = command.cpu_seconds > 0 ? command.cpu_seconds : command.seconds;
    ProgramStart start{command.arguments, command.environment, command.folder, {-1, printed, printed}};
    start.first = [&command, cpu_seconds]() -> const char* {
        limit(RLIMIT_CORE, 0);
        if (command.file_bytes > 0) limit(RLIMIT_FSIZE, command.file_bytes);
        limit(RLIMIT_CPU, static_cast<std::size_t>(cpu_seconds) + 1);
        if (command.memory_bytes > 0) limit(RLIMIT_AS, command.memory_bytes);
        return nullptr;
    };
    start.last = [&](int) { return command.before_start && !command.before_start() ? "before_start" : nullptr; };
    pid_t child = -1;
    try {
        child = start_process(start);
    } catch (const std::system_error& error) {
        return {Ending::not_started, error.code().value(), ""};
    }
    output.write_end.reset();

    ProcessResult result;
    if (!read_output(output.read_end.get(), deadline, command, result.output)) {
        result.ending = Ending::timed_out;
        ::kill(-child, SIGKILL);
    }
    siginfo_t ended{};
    while (::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
    ::kill(-child, SIGKILL);  // what is left in its group; before the number can be reused
    forget_process(child);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (result.ending == Ending::exited) {
        result.ending = WIFSIGNALED(status) ? Ending::signalled : Ending::exited;
        result.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    }
    return result;
}

namespace {

constexpr useconds_t tick = 10'000;
constexpr int max_ticks = 500;

bool is_over(pid_t process) noexcept {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

/// Asks the process to end, then kills it. Doesn't reap it: the signal thread calls this, too.
void end(pid_t process) noexcept {
    if (is_over(process)) return;
    ::kill(process, SIGHUP);
    for (int k = 0; k < max_ticks && !is_over(process); ++k) ::usleep(tick);
    if (!is_over(process)) ::kill(-process, SIGKILL);
}

}  // namespace

BackgroundProcess::BackgroundProcess(std::vector<std::string> arguments)
    : process_(start_process({.arguments = std::move(arguments),
                              .environment = own_environment(),
                              .descriptors = {-1, STDOUT_FILENO, STDERR_FILENO},
                              .death_signal = SIGTERM})),
      signal_cleanup_([process = process_] { end(process); }) {}

BackgroundProcess::~BackgroundProcess() {
    if (code_) return;
    end(process_);
    forget_process(process_);
    ::waitpid(process_, nullptr, 0);
}

std::optional<int> BackgroundProcess::ended() {
    if (code_ || !is_over(process_)) return code_;
    forget_process(process_);
    int status = 0;
    ::waitpid(process_, &status, 0);
    return code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace course
