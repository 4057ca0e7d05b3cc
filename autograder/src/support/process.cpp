// SPDX-License-Identifier: MIT
#include "support/process.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "support/cleanup.hpp"
#include "support/open_file.hpp"

namespace course {

namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
    OpenFile read_end, write_end;
    Pipe() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) return;
        read_end = OpenFile(ends[0]);
        write_end = OpenFile(ends[1]);
    }
};

/// The two ends of a terminal of its own that passes text on as it is; a pipe where the system has no such thing.
Pipe terminal() {
    Pipe ends;
    OpenFile master(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    char name[64];
    if (!master || ::grantpt(master.get()) != 0 || ::unlockpt(master.get()) != 0 ||
        ::ptsname_r(master.get(), name, sizeof name) != 0)
        return Pipe();
    OpenFile slave(::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
    termios settings{};
    if (!slave || ::tcgetattr(slave.get(), &settings) != 0) return Pipe();
    settings.c_oflag &= ~static_cast<tcflag_t>(OPOST);
    if (::tcsetattr(slave.get(), TCSANOW, &settings) != 0) return Pipe();
    ends.read_end = std::move(master);
    ends.write_end = std::move(slave);
    return ends;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
    result.push_back(nullptr);
    return result;
}

void limit(int resource, std::size_t value) {
    const rlimit both{value, value};
    ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

/// Between fork and exec: async-signal-safe calls only. posix_spawn can set neither limits nor the signal that follows
/// the parent's death.
[[noreturn]] void become(const Command& command, char* const* arguments, char* const* environment, int output,
                         int report, pid_t parent) {
    ::setsid();  // a process group of its own, away from the terminal's Ctrl-C
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGPIPE, SIGXFSZ}) ::signal(signal, SIG_DFL);  // see clean_up_on_signals()
    limit(RLIMIT_CORE, 0);
    if (command.file_bytes > 0) limit(RLIMIT_FSIZE, command.file_bytes);
    limit(RLIMIT_CPU, static_cast<std::size_t>(command.cpu_seconds > 0 ? command.cpu_seconds : command.seconds) + 1);
    if (command.memory_bytes > 0) limit(RLIMIT_AS, command.memory_bytes);
    const int input = ::open("/dev/null", O_RDONLY);
    if ((command.folder.empty() || ::chdir(command.folder.c_str()) == 0) && ::dup2(input, 0) == 0 &&
        ::dup2(output, 1) == 1 && ::dup2(output, 2) == 2 && (!command.before_start || command.before_start()))
        ::execvpe(arguments[0], arguments, environment);
    const int why = errno;
    [[maybe_unused]] const ssize_t written = ::write(report, &why, sizeof why);
    ::_exit(127);
}

/// Reads until the other side has closed its end. False if that took longer than the deadline.
bool read_output(int from, Clock::time_point deadline, const Command& command, std::string& output) {
    const std::size_t most = command.output_bytes;
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
        output.append(buffer, std::min(static_cast<std::size_t>(got), most - std::min(most, output.size())));
    }
}

}  // namespace

std::vector<std::string> own_environment() {
    std::vector<std::string> variables;
    for (char** one = ::environ; one != nullptr && *one != nullptr; ++one) variables.emplace_back(*one);
    return variables;
}

ProcessResult run_process(const Command& command) {
    using Ending = ProcessResult::Ending;
    const auto deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(command.seconds));
    Pipe output = command.by_line ? terminal() : Pipe(), report;
    if (!output.read_end || !report.read_end) return {Ending::not_started, errno, ""};
    const std::vector<char*> arguments = pointers(command.arguments);
    const std::vector<char*> environment = pointers(command.environment);
    const pid_t parent = ::getpid();
    const pid_t child = start_noted_process([&] {
        const pid_t id = ::fork();
        if (id == 0)
            become(command, arguments.data(), environment.data(), output.write_end.get(), report.write_end.get(),
                   parent);
        return id;
    });
    if (child < 0) return {Ending::not_started, errno, ""};
    output.write_end = OpenFile();
    report.write_end = OpenFile();

    ProcessResult result;
    int why = 0;
    if (::read(report.read_end.get(), &why, sizeof why) == sizeof why) {
        result.ending = Ending::not_started;
        result.code = why;
    } else if (!read_output(output.read_end.get(), deadline, command, result.output)) {
        result.ending = Ending::timed_out;
    }
    if (result.ending == Ending::timed_out) ::kill(-child, SIGKILL);
    siginfo_t ended{};
    while (::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
    ::kill(-child, SIGKILL);  // what it may have left in its group; before the number can be given to another
    forget_process(child);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (result.ending == Ending::exited) {
        result.ending = WIFSIGNALED(status) ? Ending::signalled : Ending::exited;
        result.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    }
    return result;
}

}  // namespace course
