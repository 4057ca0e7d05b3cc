// SPDX-License-Identifier: MIT
#include "commands/key_terminal.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>

#include <termios.h>
#include <unistd.h>

namespace course {

namespace {

// For signal handlers, so plain data: written before the handlers are installed.
termios usual_mode, key_mode;
std::atomic<bool> keys_are_on{false};

constexpr int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/// tcsetattr is async-signal-safe.
void back_to_usual() noexcept {
    if (keys_are_on.exchange(false)) ::tcsetattr(STDIN_FILENO, TCSANOW, &usual_mode);
}

void on_crash(int signal) {
    back_to_usual();
    std::signal(signal, SIG_DFL);
    ::raise(signal);
}

void install(int signal, void (*handler)(int)) noexcept {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
}

/// Ctrl-Z: the shell gets its terminal back, and the keys come back with `fg`.
void on_stop(int signal) {
    const int kept = errno;
    back_to_usual();
    install(signal, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    ::raise(signal);  // sleeps here
    install(signal, on_stop);
    ::tcsetattr(STDIN_FILENO, TCSANOW, &key_mode);
    keys_are_on = true;
    errno = kept;
}

}  // namespace

bool KeyTerminal::is_there() noexcept { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1; }

KeyTerminal::KeyTerminal() : at_signal_(back_to_usual) {
    if (::tcgetattr(STDIN_FILENO, &usual_mode) != 0) return;
    key_mode = usual_mode;
    key_mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | TOSTOP);  // verdicts come from a process behind this one
    key_mode.c_cc[VMIN] = 0;
    key_mode.c_cc[VTIME] = 0;
    for (const int signal : crashes) install(signal, on_crash);
    install(SIGTSTP, on_stop);
    keys_are_on = ::tcsetattr(STDIN_FILENO, TCSANOW, &key_mode) == 0;
}

KeyTerminal::~KeyTerminal() {
    install(SIGTSTP, SIG_DFL);
    for (const int signal : crashes) install(signal, SIG_DFL);
    back_to_usual();
}

}  // namespace course
