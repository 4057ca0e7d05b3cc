// SPDX-License-Identifier: MIT
// What a compiler or a linker printed of an answer. The input: the answer's file, a line "=====", the log.
#include "build/compile.hpp"
#include "build/diagnostics.hpp"
#include "fuzz/course_fixture.hpp"

namespace fuzz {

// support/process.hpp keeps no more of what a compiler prints.
FUZZ_TARGET(compiler_log, std::size_t{1} << 18) {
    const std::string source(take_part(input));
    course::PathNames names;
    names.add_answer("/tmp/s/student/raw_add.cpp", "work/08-raw-add/raw_add.cpp", source);
    names.add_answer("/tmp/s/student/raw_add.cu", "work/08-raw-add/raw_add.cu", "__global__ void add() {}\n");
    names.add("/tmp/s/student/", "");
    names.add("/kit/", "");
    const std::string log(input);
    // A message, a line with its caret, three reasons: no part of it may be as long as the log.
    constexpr std::size_t most = 6000;
    require(course::first_error(log, names).size() <= most, "a long error");
    require(course::first_link_error(log, names).size() <= most, "a long error of the linker");
    using Ending = course::ProcessResult::Ending;
    for (const Ending ending : {Ending::exited, Ending::signalled})
        require(course::failure_text({ending, 1, log}, names).size() <= most, "a long text of a failure");
    std::size_t all = 0;
    for (const std::string& warning : course::warnings(log, names, course::shown_warnings())) {
        require(warning.size() <= most, "a long warning");
        all += warning.size();
    }
    require(all <= std::size_t{1} << 16, "many warnings");
    (void)names.apply_to_kernel_error(log);
}

}  // namespace fuzz
