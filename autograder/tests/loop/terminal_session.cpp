// SPDX-License-Identifier: MIT
#include "loop/terminal_session.hpp"

#include <csignal>
#include <regex>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

#include <doctest/doctest.h>

namespace test {

namespace {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
    list.push_back(nullptr);
    return list;
}

std::string plain(std::string text) {
    text = std::regex_replace(text, std::regex("\x1b\\[[0-9;]*[A-Za-z]"), "");
    std::erase(text, '\r');
    return text;
}

}  // namespace

TerminalSession::TerminalSession(const course::Command& command) {
    const std::vector<char*> arguments = pointers(command.arguments), environment = pointers(command.environment);
    winsize size{.ws_row = 50, .ws_col = 160, .ws_xpixel = 0, .ws_ypixel = 0};
    int inner = -1;
    REQUIRE(::openpty(&terminal_, &inner, nullptr, nullptr, &size) == 0);
    kept_ = inner;  // held open, so that the terminal and its mode outlive the program
    ::fcntl(terminal_, F_SETFD, FD_CLOEXEC);
    process_ = ::fork();
    if (process_ == 0) {
        ::login_tty(inner);
        ::execve(arguments[0], arguments.data(), environment.data());
        ::_exit(127);
    }
}

TerminalSession::~TerminalSession() {
    if (process_ > 0) {
        ::kill(process_, SIGTERM);
        for (int k = 0; k < 500 && ::waitpid(process_, nullptr, WNOHANG) == 0; ++k) read_some(20);
        ::kill(process_, SIGKILL);
    }
    ::close(terminal_);
    ::close(kept_);
}

void TerminalSession::type(const std::string& keys) const {
    [[maybe_unused]] const ssize_t written = ::write(terminal_, keys.data(), keys.size());
}

void TerminalSession::signal(int number) const { ::kill(process_, number); }

void TerminalSession::read_some(int milliseconds) {
    pollfd end{terminal_, POLLIN, 0};
    if (::poll(&end, 1, milliseconds) <= 0) return;
    char buffer[4096];
    const ssize_t got = ::read(terminal_, buffer, sizeof buffer);
    if (got > 0) text_.append(buffer, static_cast<std::size_t>(got));
}

bool TerminalSession::await(const std::string& text) {
    for (int k = 0; k < 1200; ++k) {
        const std::string now = screen();
        if (const std::size_t at = now.find(text, awaited_); at != now.npos) {
            awaited_ = at + text.size();
            return true;
        }
        read_some(100);
    }
    return false;
}

std::string TerminalSession::screen() const { return plain(text_); }

int TerminalSession::wait() {
    int status = 0;
    for (int k = 0; k < 1200; ++k) {
        if (::waitpid(process_, &status, WNOHANG) == process_) {
            process_ = -1;
            return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        }
        read_some(50);
    }
    return -1;
}

bool TerminalSession::is_as_usual() const {
    termios mode{};
    REQUIRE(::tcgetattr(terminal_, &mode) == 0);
    return (mode.c_lflag & (ICANON | ECHO)) == (ICANON | ECHO);
}

}  // namespace test
