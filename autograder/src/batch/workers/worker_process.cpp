// SPDX-License-Identifier: MIT
#include "batch/workers/worker_process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/process_tree.hpp"
#include "support/process.hpp"

namespace course {

namespace {

constexpr std::size_t longest_answer = std::size_t{1} << 20;
constexpr double seconds_to_kill = 10;

struct WorkerPlan {
    char* const* arguments;
    char* const* environment;
    int socket, messages, lock;
    pid_t parent;
};

/// Between fork and exec: async-signal-safe calls alone.
[[noreturn]] void become_worker(const WorkerPlan& plan) noexcept {
    ::setsid();  // away from the terminal's Ctrl-C
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != plan.parent) ::_exit(127);
    for (const int signal : {SIGPIPE, SIGXFSZ}) ::signal(signal, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    // First above all numbers that are given away below.
    const int socket = ::fcntl(plan.socket, F_DUPFD, 10);
    const int messages = plan.messages >= 0 ? ::fcntl(plan.messages, F_DUPFD, 10) : ::open("/dev/null", O_WRONLY);
    const int lock = plan.lock >= 0 ? ::fcntl(plan.lock, F_DUPFD, 10) : -1;
    if (socket < 0 || messages < 0) ::_exit(127);
    ::dup2(socket, STDIN_FILENO);
    ::dup2(socket, STDOUT_FILENO);
    ::dup2(messages, STDERR_FILENO);
    if (lock >= 0) ::dup2(lock, 3);
    ::close_range(lock >= 0 ? 4 : 3, ~0u, 0);
    ::execve(plan.arguments[0], plan.arguments, plan.environment);
    ::_exit(127);
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> environment_of(const WorkerCommand& command) {
    std::vector<std::string> variables = own_environment();
    for (const std::string& one : command.environment) {
        const std::string name = one.substr(0, one.find('=') + 1);
        std::erase_if(variables, [&](const std::string& other) { return other.starts_with(name); });
        variables.push_back(one);
    }
    return variables;
}

}  // namespace

WorkerProcess::WorkerProcess(const WorkerCommand& command) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // what a worker leaves behind becomes this program's child
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) throw_errno("socketpair");
    socket_ = OpenFile(pair[0]);
    const OpenFile its_end(pair[1]);
    std::vector<std::string> arguments = command.arguments, environment = environment_of(command);
    const std::vector<char*> argument_list = pointers_to(arguments), environment_list = pointers_to(environment);
    const WorkerPlan plan{
        argument_list.data(), environment_list.data(), its_end.get(), command.messages, command.lock, ::getpid()};
    process_ = start_noted_process([&] {
        const pid_t id = ::fork();
        if (id == 0) become_worker(plan);
        return id;
    });
    if (process_ < 0) throw_errno("fork");
}

WorkerProcess::~WorkerProcess() {
    if (process_ <= 0) return;
    socket_ = OpenFile();
    ::kill(process_, SIGKILL);
    siginfo_t ended{};
    while (::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
    forget_process(process_);  // before the number can be given to another
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {}
    kill_processes({.adopted = true}, seconds_to_kill);  // what it had started is ours now
}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept
    : socket_(std::move(other.socket_)),
      process_(std::exchange(other.process_, -1)),
      received_(std::move(other.received_)) {}

WorkerProcess& WorkerProcess::operator=(WorkerProcess&& other) noexcept {
    std::swap(socket_, other.socket_);
    std::swap(process_, other.process_);
    std::swap(received_, other.received_);
    return *this;
}

bool WorkerProcess::send(const std::string& line) {
    std::size_t sent = 0;  // a job is shorter than a socket's buffer, and one at a time is on its way
    while (sent < line.size()) {
        const ssize_t size = ::send(socket_.get(), line.data() + sent, line.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return false;
        sent += static_cast<std::size_t>(size);
    }
    return true;
}

bool WorkerProcess::receive(std::vector<std::string>& lines) {
    bool is_there = true;
    for (;;) {
        char buffer[4096];
        const ssize_t size = ::recv(socket_.get(), buffer, sizeof buffer, MSG_DONTWAIT);
        if (size < 0 && errno == EINTR) continue;
        if (size > 0) received_.append(buffer, static_cast<std::size_t>(size));
        if (size > 0 && received_.size() <= longest_answer) continue;
        is_there = size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
        break;
    }
    for (std::size_t end; (end = received_.find('\n')) != received_.npos; received_.erase(0, end + 1))
        lines.push_back(received_.substr(0, end));
    return is_there;
}

}  // namespace course
