// SPDX-License-Identifier: MIT
// course-runner OBJECT: started by the grader, with the descriptors in protocol/protocol.hpp. The only program of the
// autograder that loads a student's object. course-runner --replay CALL OBJECT repeats a recorded call, for a debugger.
// course-runner --reference loads no object: it has a function of its own.

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "protocol/protocol.hpp"
#include "run/runner/recording.hpp"
#include "run/runner/server.hpp"

#if defined(__SANITIZE_ADDRESS__)
// The grader interprets the signal of a crash. Memory still allocated at the end isn't a leak.
extern "C" const char* __asan_default_options() {
    return "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0:detect_leaks=0:"
           "allocator_may_return_null=1";
}
#endif

int main(int argc, char** argv) {
    if (argc == 4 && std::string_view(argv[1]) == "--replay") {
        std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
        const int code = course::runner::replay(argv[2], argv[3]);
        std::fflush(stdout);
        std::_Exit(code);
    }
    if (argc != 2) {
        std::fputs("course-runner is started by course, not by hand\n", stderr);
        return 4;
    }
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // output before a crash isn't lost
    const bool is_reference = std::string_view(argv[1]) == course::protocol::reference_option;
    course::runner::serve(is_reference ? nullptr : argv[1]);
    std::fflush(stdout);
    std::_Exit(0);  // no student's destructor runs after the last call
}
