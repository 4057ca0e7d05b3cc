// SPDX-License-Identifier: MIT
// Where libFuzzer calls a target: the one that FUZZ_TARGET names, since it starts itself again with its own arguments
// alone. "--targets" prints their names.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "fuzz_target.hpp"

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

const fuzz::Target* chosen = nullptr;

}  // namespace

int LLVMFuzzerInitialize(int* count, char*** arguments) {
    if (*count > 1 && std::string_view((*arguments)[1]) == "--targets") {
        for (const fuzz::Target& one : fuzz::targets()) std::puts(one.name);
        std::exit(0);
    }
    const char* const name = std::getenv("FUZZ_TARGET");
    try {
        chosen = &fuzz::target(name != nullptr ? name : "");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "FUZZ_TARGET: %s\n", error.what());
        std::exit(4);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size > chosen->largest) return -1;  // not for the corpus
    try {
        chosen->run({reinterpret_cast<const char*>(data), size});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", chosen->name, error.what());
        std::abort();
    }
    return 0;
}
