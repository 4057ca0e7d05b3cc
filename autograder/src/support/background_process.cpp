// SPDX-License-Identifier: MIT
#include "support/background_process.hpp"

#include <csignal>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/throw_errno.hpp"

namespace course {

namespace {

constexpr useconds_t tick = 10'000;
constexpr int patience = 500;  // ticks

/// Between fork and exec: async-signal-safe calls alone.
[[noreturn]] void become(char* const* arguments, pid_t parent) noexcept {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(127);
    for (const int signal : {SIGTSTP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::signal(signal, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (const int null = ::open("/dev/null", O_RDONLY); null >= 0) ::dup2(null, STDIN_FILENO);
    ::close_range(3, ~0u, 0);
    ::execv(arguments[0], arguments);
    ::_exit(127);
}

pid_t start(std::vector<std::string>& arguments) {
    std::vector<char*> pointers;
    for (std::string& text : arguments) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    const pid_t parent = ::getpid(), process = ::fork();
    if (process == 0) become(pointers.data(), parent);
    if (process < 0) throw_errno("fork");
    ::setpgid(process, process);  // whichever of the two comes first
    return process;
}

/// Asks the process to end, then makes it. Leaves it to be waited for: the signal thread calls this, too.
void end(pid_t process) noexcept {
    const auto is_over = [&] {
        siginfo_t info{};
        return ::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
    };
    if (is_over()) return;
    ::kill(process, SIGHUP);
    for (int k = 0; k < patience && !is_over(); ++k) ::usleep(tick);
    if (!is_over()) ::kill(-process, SIGKILL);
}

int code_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

}  // namespace

BackgroundProcess::BackgroundProcess(std::vector<std::string> arguments)
    : process_(start(arguments)), at_signal_([process = process_] { end(process); }) {}

BackgroundProcess::~BackgroundProcess() {
    if (code_) return;
    end(process_);
    ::waitpid(process_, nullptr, 0);
}

std::optional<int> BackgroundProcess::ended() {
    int status = 0;
    if (!code_ && ::waitpid(process_, &status, WNOHANG) == process_) code_ = code_of(status);
    return code_;
}

}  // namespace course
