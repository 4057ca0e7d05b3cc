// SPDX-License-Identifier: MIT
// Answers that behave in check mode alone, or that keep it from looking. None may pass.
#include <doctest/doctest.h>

#include "loop/toy_course.hpp"
#include "support/folder.hpp"

using test::Ran, test::ToyCourse;
namespace fs = std::filesystem;

namespace {

/// Judges exercise 2's solution, changed: in its kernel's place, and in the C++ function's.
Ran judge(const ToyCourse& toy, const std::string& kernel, const std::string& host = "",
          const std::string& above = "") {
    toy.solve("02-shift");
    if (!kernel.empty()) toy.write("work/02-shift/shift.cu", kernel);
    if (!host.empty()) toy.change("work/02-shift/shift.cpp", "    const int n", host + "\n    const int n");
    if (!above.empty()) toy.change("work/02-shift/shift.cpp", "#include", above + "\n#include");
    const Ran ran = toy.run({"run", "2"});
    CHECK(fs::is_empty(toy.scratch()));
    return ran;
}

constexpr const char* guarded =
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) y[i] = x[i] + 1;\n}\n";

}  // namespace

TEST_CASE("a kernel that asks for ThreadSanitizer's macro gets no answer, and its race is found") {
    const ToyCourse toy;
    const Ran ran = judge(toy, std::string("__global__ void shift(const float* x, float* y, int n) {\n"
                                           "#ifndef __SANITIZE_THREAD__\n    if (blockIdx.x == 0) y[0] = threadIdx.x;\n"
                                           "    __syncthreads();\n#endif\n") +
                                   guarded);
    CHECK(ran.code == 1);
    CHECK(ran.text.find("shift.cu:3 writes y[0]") != std::string::npos);
}

TEST_CASE("a kernel that leaves itself out of check mode is refused, with its line") {
    const ToyCourse toy;
    for (const char* const word : {"no_sanitize_thread", "J(no_sani, tize_thread)"}) {
        CAPTURE(word);
        const Ran ran = judge(toy, std::string("#define J(a, b) a##b\n__device__ __attribute__((") + word +
                                       ")) void race(float* y) { y[0] = threadIdx.x; }\n"
                                       "__global__ void shift(const float* x, float* y, int n) {\n" +
                                       guarded);
        CHECK(ran.code == 2);
        CHECK(ran.text.find("work/02-shift/shift.cu:2:") != std::string::npos);
        CHECK(test::unwrapped(ran.text).find("no_sanitize_thread can't be used in a kernel") != std::string::npos);
    }
}

TEST_CASE("an answer that asks with a gpu::check of its own learns nothing") {
    const ToyCourse toy;
    const Ran ran = judge(toy, "", "    gpu::check([] {});", "#include <gpu/check.hpp>");
    CHECK(ran.code == 1);
    CHECK(ran.text.find("gpu::check and gpu::trace can't be used here") != std::string::npos);
    CHECK(ran.text.find("in check mode:") == std::string::npos);   // the usual run says it already
}

TEST_CASE("an answer that changes its kernel's file while it runs has not passed") {
    const ToyCourse toy;
    toy.solve("02-shift");
    toy.change("work/02-shift/shift.cpp", "#include", "#include <fstream>\n#include <string>\n"
                                                      "static const bool changed = [] {\n"
                                                      "    std::string file = __FILE__;\n"
                                                      "    file.replace(file.size() - 3, 3, \"cu\");\n"
                                                      "    std::ofstream(file, std::ios::app) << \"// more\";\n"
                                                      "    return true;\n}();\n#include");
    CHECK(toy.run({"run", "2"}).code == 0);   // in the sandbox it can't
    course::Command command = toy.command({"run", "2"});
    ToyCourse::set(command, "COURSE_SANDBOX", "off");
    const Ran ran = toy.run(command);
    CHECK(ran.code == 1);
    CHECK(ran.text.find("the answer changed its own files while it ran: work/02-shift/shift.cu") != std::string::npos);
}

TEST_CASE("neither folder nor object tells an answer which of the two runners it is in") {
    const ToyCourse toy;
    const Ran ran = judge(toy, "",
                          "    Dl_info info{};\n    dladdr(reinterpret_cast<void*>(&shift), &info);\n"
                          "    const std::string places = std::filesystem::current_path().string() + ' ' + "
                          "info.dli_fname;\n"
                          "    for (const char* word : {\"check\", \"usual\", \"student.so\"})\n"
                          "        if (places.find(word, places.rfind(\"course-scratch\")) != places.npos)\n"
                          "            throw std::runtime_error(\"it tells: \" + places);",
                          "#include <dlfcn.h>\n#include <filesystem>\n#include <stdexcept>\n#include <string>");
    CHECK(ran.code == 0);
    CHECK(ran.text.find("it tells") == std::string::npos);
}

TEST_CASE("whatever ends the runner once it has started is the answer's fault, not the machine's") {
    const ToyCourse toy;
    for (const char* const end :
         {"std::exit(0);", "_exit(0);", "kill(getpid(), SIGKILL);", "for (int k = 0; k < 1024; ++k) close(k);",
          "static int calls = 0; if (++calls == 1) rename(std::filesystem::current_path().c_str(), "
          "(std::filesystem::current_path().string() + \"-gone\").c_str()); _exit(0);"}) {
        CAPTURE(end);
        toy.answer(end + std::string(" return 2 * x;"),
                   "#include <csignal>\n#include <cstdio>\n#include <cstdlib>\n#include <filesystem>\n"
                   "#include <unistd.h>\n");
        const Ran ran = toy.run({"run", "1", "--time-limit", "2"});
        CHECK(ran.code == 1);
        CHECK(ran.text.find("crashed") != std::string::npos);
    }
    toy.answer("return 2 * x;",
               "#include <unistd.h>\n__attribute__((constructor)) static void leave() { _exit(0); }\n");
    const Ran ran = toy.run({"run", "1"});
    CHECK(ran.code == 1);
    CHECK(ran.text.find("your code ended the program itself (exit code 0)") != std::string::npos);
}
