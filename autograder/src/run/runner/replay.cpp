// SPDX-License-Identifier: MIT
#include "run/runner/replay.hpp"

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include <gpu/check.hpp>
#include <gpu/device.hpp>
#include <gpu/memory.hpp>

#include "run/runner/device.hpp"
#include "run/runner/failure.hpp"
#include "run/runner/object.hpp"

namespace course::runner {
namespace {

using protocol::Request;

struct RecordedCall {
    Request request{};
    std::size_t bytes = 0;
    // Aligned as the input memory is.
    struct Free {
        void operator()(std::byte* memory) const { ::operator delete(memory, std::align_val_t{64}); }
    };
    std::unique_ptr<std::byte, Free> memory;
};

RecordedCall read_call(const char* file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(stream), {}};
    RecordedCall call;
    if (all.size() < sizeof(Request))
        throw std::runtime_error(std::string(file) + " is not a recorded call: it can't be read, or is too short");
    std::memcpy(&call.request, all.data(), sizeof(Request));
    call.bytes = all.size() - sizeof(Request);
    bool fits = call.request.magic == protocol::magic && call.request.version == protocol::version &&
                call.request.argument_count <= protocol::max_values;
    for (std::size_t k = 0; fits && k < call.request.argument_count; ++k) {
        const protocol::ValueRecord& record = call.request.arguments[k];
        fits = record.rank <= protocol::max_rank && record.offset <= call.bytes &&
               record.bytes <= call.bytes - record.offset;
    }
    if (!fits) throw std::runtime_error(std::string(file) + " was made by another version of the kit: make it again");
    call.memory.reset(static_cast<std::byte*>(::operator new(call.bytes + 1, std::align_val_t{64})));
    std::memcpy(call.memory.get(), all.data() + sizeof(Request), call.bytes);
    return call;
}

int make_call(const RecordedCall& recorded, const char* object) {
    const Request& request = recorded.request;
    open_device();
    const binding::Function* const functions = load_object(object);
    const binding::Function* const function = find_function(functions, request.function);
    if (function == nullptr) throw std::runtime_error(describe_unknown(functions, request.function));
    if (!takes_arguments_of(*function, request)) throw std::runtime_error(describe_wrong_arguments(*function, request));
    const std::unique_ptr<binding::Call> call =
        function->prepare(argument_values(request, {recorded.memory.get(), recorded.bytes}));
    gpu::synchronize();
    std::optional<Failure> failure;
    const gpu::CheckReport report = gpu::check(
        [&] {
            try {
                call->invoke();
            } catch (...) {
                failure = current_failure();
            }
        },
        {.schedule = {}, .workers = 0, .seconds_per_block = request.seconds_per_block, .strict_barriers = true,
         .only_cuda = true});
    if (failure) std::printf("%s ended with: %s\n", request.function, failure->message.c_str());
    if (report.clean())
        std::printf("%s has returned, and check mode found no mistake in this case.\n", request.function);
    else
        std::printf("%s has returned. Check mode found:\n%s", request.function, report.to_text().c_str());
    return report.clean() && !failure ? 0 : 1;
}

}  // namespace

int replay(const char* file, const char* object) {
    try {
        return make_call(read_call(file), object);
    } catch (const std::runtime_error& error) {
        std::fprintf(stderr, "course-runner: %s\n", error.what());
    } catch (...) {
        std::fprintf(stderr, "course-runner: %s\n", current_failure().message.c_str());
    }
    return 4;
}

}  // namespace course::runner
