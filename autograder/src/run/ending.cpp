// SPDX-License-Identifier: MIT
#include "run/ending.hpp"

#include <csignal>
#include <cstring>

#include <fmt/format.h>

#include "support/text.hpp"

namespace course {
namespace {

constexpr std::size_t message_bytes = 4096, message_lines = 40;

CallEnded ended(Outcome outcome, std::string message, bool runner_lost = true) {
    CallEnded ended;
    ended.reply.outcome = outcome;
    ended.reply.message = std::move(message);
    ended.runner_lost = runner_lost;
    return ended;
}

std::string describe_bytes(std::size_t bytes) {
    if (bytes >= std::size_t{1} << 30) return fmt::format("{:.3g} GiB", static_cast<double>(bytes) / (1 << 30));
    return fmt::format("{:.3g} MiB", static_cast<double>(bytes) / (1 << 20));
}

CallEnded ending_of(const Death& death) {
    if (death.signalled) return ended(Outcome::crashed, "your code crashed: " + describe_signal(death.number));
    if (death.number == protocol::connection_lost) return broken_protocol("its connection to the grader was closed");
    return ended(Outcome::exited, fmt::format("your code ended the program itself (exit code {})", death.number));
}

}  // namespace

std::string describe_signal(int number) {
    switch (number) {
        case SIGSEGV: return "segmentation fault (SIGSEGV)";
        case SIGBUS: return "bus error (SIGBUS)";
        case SIGFPE: return "arithmetic error, such as an integer division by zero (SIGFPE)";
        case SIGILL: return "illegal instruction (SIGILL)";
        case SIGABRT:
            return "abort (SIGABRT): an index past the end of a std::vector, a failed assert, an uncaught exception, a "
                   "damaged heap or abort() itself";
        case SIGXFSZ: return "it wrote a file of more than 256 MiB (SIGXFSZ)";
        case SIGKILL: return "killed (SIGKILL), perhaps because the computer ran out of memory";
        default: break;
    }
    const char* name = ::sigabbrev_np(number);
    return name != nullptr ? fmt::format("signal SIG{}", name) : fmt::format("signal {}", number);
}

CallEnded broken_protocol(const std::string& what) {
    return ended(Outcome::bad_reply, "the runner broke the protocol: " + what);
}

CallEnded ending_of_restart(const std::string& why) {
    return ended(Outcome::crashed, "after your code had run, it could not be started again: " +
                                       plain_text(why, message_bytes, message_lines));
}

CallEnded ending_of(const Waited& waited, double seconds, const SessionOptions& limits) {
    switch (waited.reason) {
        case Waited::Reason::dead: return ending_of(waited.death);
        case Waited::Reason::too_late:
            return ended(Outcome::timed_out,
                         fmt::format("no answer within {:g} s; is there a loop that never ends?", seconds));
        case Waited::Reason::too_much_memory:
            return ended(Outcome::out_of_memory,
                         fmt::format("your code used more than {} of memory, which is the limit",
                                     describe_bytes(limits.memory_bytes)));
        case Waited::Reason::too_many_files:
            return ended(Outcome::out_of_memory,
                         fmt::format("your code wrote more than {} of files, which is the limit",
                                     describe_bytes(limits.file_bytes)));
        case Waited::Reason::too_many_threads:
            return ended(Outcome::out_of_memory, "your code started more than 4096 threads, which is the limit");
        case Waited::Reason::disconnected: return broken_protocol("its connection to the grader was closed");
        case Waited::Reason::damaged_message: return broken_protocol("a message that isn't a reply");
        case Waited::Reason::message: break;
    }
    return broken_protocol("a message out of turn");
}

CallEnded ending_of(const protocol::Reply& reply) {
    using protocol::Status;
    const std::string message = plain_text({reply.message, reply.message_size}, message_bytes, message_lines);
    switch (reply.status) {
        case Status::kernel_does_not_compile: return ended(Outcome::kernel_does_not_compile, message, false);
        // A GPU's context is lost after a fault, and the host's memory may be damaged: the next call starts afresh.
        case Status::kernel_fault: return ended(Outcome::kernel_fault, message, true);
        case Status::exception: return ended(Outcome::exception, "your code threw " + message, false);
        case Status::unknown_function:
        case Status::wrong_arguments: return ended(Outcome::missing_function, message, false);
        case Status::cannot_load: return ended(Outcome::cannot_load, message);
        case Status::no_device: return ended(Outcome::no_device, message);
        case Status::no_check: return ended(Outcome::no_check, "check mode can't be used any more: " + message);
        case Status::left_behind: return ended(Outcome::left_behind, message, false);
        case Status::loading:
        case Status::started:
        case Status::ready:
        case Status::done: break;
    }
    return broken_protocol("a message out of turn");
}

}  // namespace course
