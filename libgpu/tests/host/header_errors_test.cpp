// SPDX-License-Identifier: MIT
// What compilers say of headers that kernels don't have, and what the learner is told of it.
#include <sys/stat.h>

#include "host/compile/compiler.hpp"
#include "host/compile/generate.hpp"
#include "host/compile/header_errors.hpp"
#include "host/support.hpp"
#include "support/temporary_folder.hpp"

using namespace support;
using gpu::detail::host::explain_headers;

namespace {

const std::string source =
    "#include \"libgpu/raw_loop.hpp\"\n#line 3 \"raw_add.cu\"\n#include <cmath>\n// #include <vector>\n  #include  "
    "\"mine.h\"\n"
    "#include HEADER\n__global__ void k() {}\n#line 9 \"libgpu:k\"\n";

std::string refused(const std::string& place, const std::string& header) {
    return place + ": error: #include " + header +
           ": kernels have no headers but cuda_fp16.h, cuda_bf16.h, cooperative_groups.h, cuda_pipeline.h, "
           "curand_kernel.h, cuComplex.h, cupy/complex.cuh, math_constants.h, "
           "cuda/atomic, cuda/barrier, cuda/pipeline and cuda/std; "
           "math functions are already there\n";
}

const std::string gcc_chain =
    "In file included from /usr/include/x86_64-linux-gnu/c++/13/bits/c++config.h:679,\n"
    "                 from /usr/include/c++/13/bits/requires_hosted.h:31,\n"
    "                 from /usr/include/c++/13/cmath:41,\n"
    "                 from raw_add.cu:3:\n";

}  // namespace

TEST_CASE("a header that isn't there is named as the learner's line has it") {
    CHECK(explain_headers("raw_add.cu:3:10: fatal error: cmath: No such file or directory\ncompilation terminated.\n",
                          source) == refused("raw_add.cu:3:10", "<cmath>"));
    CHECK(explain_headers("raw_add.cu:3:10: fatal error: 'cmath' file not found\n1 error generated.\n", source) ==
          refused("raw_add.cu:3:10", "<cmath>"));
    CHECK(explain_headers("raw_add.cu:5:13: fatal error: mine.h: No such file or directory\n", source) ==
          refused("raw_add.cu:5:13", "\"mine.h\""));
    CHECK(explain_headers("raw_add.cu:6:10: fatal error: x.h: No such file or directory\n", source) ==
          refused("raw_add.cu:6:10", "\"x.h\""));
}

TEST_CASE("a header that includes what isn't there is the learner's line, however deep it is") {
    CHECK(explain_headers(gcc_chain + "/usr/include/x86_64-linux-gnu/c++/13/bits/os_defines.h:39:10: fatal error: "
                                      "features.h: No such file or directory\ncompilation terminated.\n",
                          source) == refused("raw_add.cu:3:10", "<cmath>"));
    CHECK(explain_headers("In file included from raw_add.cu:3:\n"
                          "In file included from /usr/include/c++/13/cmath:41:\n"
                          "/usr/include/c++/13/bits/requires_hosted.h:31:10: fatal error: 'features.h' file not found\n"
                          "1 error generated.\n",
                          source) == refused("raw_add.cu:3:10", "<cmath>"));
}

TEST_CASE("a header that is there and doesn't fit is refused once, and the learner's own errors stay") {
    const std::string own = "raw_add.cu:7:24: error: 'y' was not declared in this scope\n";
    CHECK(explain_headers(gcc_chain +
                              "/usr/include/math.h:20:3: error: conflicting declaration 'float sqrt(float)'\n"
                              "libgpu/math.hpp:7:2: note: previous declaration\n"
                              "/usr/include/math.h:21:3: error: conflicting declaration 'float exp(float)'\n" +
                              own,
                          source) == refused("raw_add.cu:3:10", "<cmath>") + own);
    CHECK(explain_headers(own, source) == own);
}

TEST_CASE("errors in libgpu's own files keep the way that leads there") {
    const std::string log =
        "In file included from libgpu/raw_loop.hpp:5,\n                 from kernel.cpp:1:\n"
        "libgpu/math.hpp:7:2: error: static assertion failed: sizes differ\n";
    CHECK(explain_headers(log, source) == log);
    CHECK(explain_headers("", source).empty());
}

TEST_CASE("a compiler whose set-up brings system headers in") {
    const TemporaryFolder folder;
    folder.write("include/vector", "#pragma once\n#include <bits/nested.h>\n");
    folder.write("include/bits/nested.h", "#include <features_of_nobody.h>\n");
    folder.write("g++", "#!/bin/sh\nexec g++ -isystem " + folder / "include" + " \"$@\"\n");
    REQUIRE(::chmod((folder / "g++").c_str(), 0700) == 0);
    const EnvironmentGuard named("LIBGPU_HOST_CXX", (folder / "g++").c_str());
    const gpu::detail::host::Compiler compiler;
    const auto kernel = gpu::detail::host::generate_raw(
        raw_text("k", "// <vector> is of no use\n#include <vector>\n__global__ void k() {}\n", "", "raw_add.cu", 3));
    std::string log;
    try {
        (void)compiler.compile(kernel);
    } catch (const gpu::detail::CompileFailure& failure) {
        log = failure.log;
    }
    CHECK(log == refused("raw_add.cu:4:10", "<vector>"));
}
