// SPDX-License-Identifier: MIT
// A runner that speaks the protocol and lies in one point, which the name of its "object" says. An "honest" one gives
// back twice the first argument, and the argument.

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "protocol/protocol.hpp"
#include "protocol/protocol_check.hpp"

namespace {

using namespace course::protocol;

std::string lie;
const std::byte* input = nullptr;
std::byte* output = nullptr;
std::uint64_t previous_sequence = 0;

bool telling(std::string_view name) { return lie == name; }

void put(const Reply& reply, std::size_t size = sizeof(Reply)) { ::send(socket_fd, &reply, size, MSG_NOSIGNAL); }

std::unique_ptr<Reply> blank(std::uint64_t sequence, Status status) {
    auto reply = std::make_unique<Reply>();
    reply->magic = magic;
    reply->version = version;
    reply->sequence = sequence;
    reply->status = status;
    return reply;
}

void say(Reply& reply, std::string_view text) {
    reply.message_size = static_cast<std::uint32_t>(text.copy(reply.message, message_bytes));
}

std::unique_ptr<Reply> answer(const Request& request) {
    auto reply = blank(request.sequence, Status::done);
    const ValueRecord& x = request.arguments[0];
    const std::size_t count = x.bytes / sizeof(float);
    for (std::size_t k = 0; k < count && !telling("stale results"); ++k) {
        float value = 0;
        std::memcpy(&value, input + x.offset + k * sizeof value, sizeof value);
        value *= 2;
        std::memcpy(output + k * sizeof value, &value, sizeof value);
    }
    reply->values[0] = x;
    reply->values[0].argument = no_argument;
    reply->values[0].offset = 0;
    reply->value_count = reply->result_count = 1;
    if (request.return_inputs != 0) {
        reply->values[1] = x;
        reply->values[1].offset = (x.bytes + 63) / 64 * 64;
        std::memcpy(output + reply->values[1].offset, input + x.offset, x.bytes);
        reply->value_count = 2;
    }
    return reply;
}

// The lies about an answer to a call, one line each.
void spoil(Reply& reply) {
    ValueRecord& value = reply.values[0];
    if (telling("wrong magic")) reply.magic = 7;
    if (telling("wrong version")) reply.version = 99;
    if (telling("recording too long")) reply.recording_bytes = 100'000'000;
    if (telling("recording over the end")) reply.recording_offset = output_bytes - 100, reply.recording_bytes = 101;
    if (telling("recording that wraps around")) reply.recording_offset = ~std::uint64_t{0}, reply.recording_bytes = 16;
    if (telling("wrong sequence")) ++reply.sequence;
    if (telling("sequence of the last call") && previous_sequence != 0) reply.sequence = previous_sequence;
    if (telling("unknown status")) reply.status = static_cast<Status>(77);
    if (telling("no device")) reply.status = Status::no_device, reply.value_count = reply.result_count = 0;
    if (telling("cannot load")) reply.status = Status::cannot_load, reply.value_count = reply.result_count = 0;
    if (telling("started again")) reply.status = Status::started, reply.value_count = reply.result_count = 0;
    if (telling("values in a failure")) reply.status = Status::exception;
    if (telling("too many values")) reply.value_count = 1'000'000;
    if (telling("more results than values")) reply.result_count = 3;
    if (telling("message too long")) reply.message_size = 1u << 30;
    if (telling("no result")) reply.value_count = reply.result_count = 0;
    if (telling("one result more")) reply.result_count = 2, reply.values[1].argument = no_argument;
    if (telling("no input")) reply.value_count = 1;
    if (telling("input as result")) reply.result_count = 0;
    if (telling("input twice")) reply.value_count = 3, reply.values[2] = reply.values[1];
    if (telling("unknown argument")) reply.values[1].argument = 9;
    if (telling("unknown place")) value.place = static_cast<Place>(3);
    if (telling("unknown type")) value.type = static_cast<Type>(11);
    if (telling("other type")) value.type = Type::int32;
    if (telling("other place")) value.place = Place::host_vector;
    if (telling("scalar with axes")) value.place = Place::scalar;
    if (telling("nine axes")) value.rank = 9;
    if (telling("negative length")) value.shape[0] = -1;
    if (telling("more bytes than the shape")) value.bytes += 4;
    if (telling("less bytes than the shape")) value.bytes -= 4;
    if (telling("outside the memory")) value.offset = output_bytes;
    if (telling("over the end")) value.offset = clock_offset - 4;
    if (telling("offset that wraps around")) value.offset = ~std::uint64_t{0} - 3;
    if (telling("shape that wraps around")) {
        value.rank = 2;
        value.shape[0] = std::int64_t{1} << 62;
        value.shape[1] = 4;   // times 4 bytes is 2^66
        value.bytes = 0;
    }
    if (telling("huge value")) {
        value.shape[0] = std::int64_t{1} << 29;
        value.bytes = std::uint64_t{1} << 31;
    }
    if (telling("ugly message")) {
        reply.status = Status::exception;
        reply.value_count = reply.result_count = 0;
        std::string text = "std::ugly: \x1b[31m<b>\xff\xe2\x80\xae";
        for (int line = 0; line < 1000; ++line) text += "line\r\n";
        say(reply, text);
    }
}

template <std::size_t bytes>
void set(char (&to)[bytes], std::string_view text) {
    std::memset(to, 0, bytes);
    text.copy(to, bytes);
}

// One finding, and one kernel with two lines.
void report(Reply& reply) {
    static CheckRecord record;
    record = {};
    record.finding_count = record.kernel_count = 1;
    record.all_findings = 1;
    record.line_count = 2;
    FindingRecord& finding = record.findings[0];
    finding.kind = 1;   // missing barrier
    finding.rule = 5;
    finding.line = 12;
    finding.times = 3;
    set(finding.kernel, "tree");
    set(finding.file, "reduce.cu");
    set(finding.variable, "part");
    set(finding.what, "reduce.cu:12: missing barrier");
    set(finding.who, "thread (1,0,0)");
    set(finding.advice, "write __syncthreads()");
    KernelRecord& kernel = record.kernels[0];
    set(kernel.name, "tree");
    set(kernel.file, "reduce.cu");
    kernel.launches = 3;
    set(kernel.made_in, "reduce.cpp");
    kernel.shape_count = 2;
    kernel.shapes[0] = {{4, 2, 1}, {256, 1, 1}, 2};
    kernel.shapes[1] = {{1, 1, 1}, {16, 16, 2}, 1};
    kernel.work.global_reads = 7;
    kernel.line_count = 2;
    for (int k = 0; k < 2; ++k) {
        set(record.lines[k].file, "reduce.cu");
        record.lines[k].line = 11 + k;
        record.lines[k].work.global_reads = 3 + k;
    }

    if (telling("check: many findings")) record.finding_count = 17, record.all_findings = 17;
    if (telling("check: fewer than listed")) record.all_findings = 0;
    if (telling("check: many kernels")) record.kernel_count = 17;
    if (telling("check: many lines")) record.line_count = 513;
    if (telling("check: all the numbers there are")) std::memset(static_cast<void*>(&record), 0xFF, sizeof record);
    if (telling("check: unknown kind")) finding.kind = 200;
    if (telling("check: no rule")) finding.rule = 0;
    if (telling("check: unknown rule")) finding.rule = 7;
    if (telling("check: lines that overlap")) kernel.first_line = 1;
    if (telling("check: too many lines of a kernel")) kernel.line_count = 3;
    if (telling("check: lines of no kernel")) kernel.line_count = 1;
    if (telling("check: many shapes")) kernel.shape_count = 9;
    if (telling("check: negative shape")) kernel.shapes[1].block.y = -2;
    if (telling("check: negative spread")) kernel.shared_spread.grid.x = -1;
    if (telling("check: a million findings")) record.all_findings = 1'000'000;
    if (telling("check: negative line")) finding.line = record.lines[0].line = -5;
    if (telling("check: no times")) finding.times = 0;
    if (telling("check: endless texts")) {
        for (char* text : {finding.kernel, finding.file, finding.variable}) std::memset(text, 'x', 128);
        for (char* text : {finding.what, finding.who, finding.advice}) std::memset(text, 'x', sizeof finding.what);
    }
    if (telling("check: ugly texts")) {
        set(finding.what, "\x1b[2J\x1b[31mPASSED\x1b[0m\n\nExercise 9   passed\t!\r\n");
        set(finding.who, "\xff\xfe \xe2\x80\xae caf\xc3\xa9");
        set(finding.advice, "\n\n\n");
        set(kernel.name, "\x1b]0;title\a");
    }
    if (telling("check: threw")) {
        reply.status = Status::exception;
        reply.value_count = reply.result_count = 0;
        say(reply, "std::logic_error: twice");
    }

    reply.check_offset = 4096;
    reply.checked = 1;
    if (telling("check: outside the memory")) reply.check_offset = output_bytes;
    if (telling("check: over the end")) reply.check_offset = clock_offset - 64;
    if (telling("check: offset that wraps around")) reply.check_offset = ~std::uint64_t{0} - 3;
    if (telling("check: two records")) reply.checked = 2;
    if (telling("check: none")) reply.checked = 0;
    const bool fits = reply.check_offset <= clock_offset - sizeof record;
    if (fits) std::memcpy(output + reply.check_offset, &record, sizeof record);
}

void answer_call(const Request& request) {
    auto reply = answer(request);
    spoil(*reply);
    const bool check = request.order == Order::check;
    if (check || telling("check: not asked for")) report(*reply);
    if (telling("no check")) {
        reply = blank(request.sequence, Status::no_check);
        say(*reply, "a check inside another");
    }
    if (telling("half a message")) put(*reply, 100);
    else if (telling("ready to a call")) put(*blank(request.sequence, Status::ready));
    else if (telling("silence")) ::pause();
    else if (telling("death")) ::_exit(3);
    else put(*reply);
    if (telling("results changed after the reply")) {
        ::usleep(100'000);
        std::memset(output, 0x7f, 4096);
    }
    if (telling("check: changed after the reply")) {
        ::usleep(100'000);
        std::memset(output + 4096, 0x7f, sizeof(CheckRecord));
    }
}

void answer_timed(const Request& request) {
    auto& page = *reinterpret_cast<ClockPage*>(output + clock_offset);
    const std::atomic_ref<std::uint64_t> go(page.go), done(page.done);
    if (telling("result before the clock")) return put(*answer(request));
    if (telling("done before go")) done.store(request.sequence);
    put(*blank(request.sequence, Status::ready));
    while (go.load(std::memory_order_acquire) != request.sequence) std::this_thread::yield();
    if (telling("clock never stopped")) ::pause();
    if (telling("death on the clock")) std::abort();
    if (telling("done of another call")) done.store(request.sequence + 1), ::pause();
    ::usleep(30'000);
    auto reply = answer(request);
    done.store(request.sequence, std::memory_order_release);
    if (telling("ready twice")) put(*blank(request.sequence, Status::ready));
    put(*reply);
}

}  // namespace

int main(int, char** argv) {
    const std::string_view object = argv[1];
    lie = object.substr(object.rfind('/') + 1);
    input = static_cast<const std::byte*>(::mmap(nullptr, input_bytes, PROT_READ, MAP_SHARED, input_fd, 0));
    output = static_cast<std::byte*>(
        ::mmap(nullptr, output_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, output_fd, 0));
    if (telling("death before loading")) {
        std::puts("libsomething.so.1: cannot open shared object file");
        return 127;
    }
    if (telling("another version")) {
        auto reply = blank(0, Status::loading);
        reply->version = version + 1;
        put(*reply);
        ::pause();
    }
    if (telling("no such device")) {
        auto reply = blank(0, Status::no_device);
        say(*reply, "cuda:7: this machine has 1 GPU");
        put(*reply);
        return 0;
    }
    put(*blank(0, Status::loading));
    if (telling("no device while loading")) put(*blank(0, Status::no_device));
    auto request = std::make_unique<Request>();
    if (::recv(socket_fd, request.get(), sizeof *request, 0) != sizeof *request || request->order != Order::load)
        return 1;
    put(*blank(0, Status::started));

    while (::recv(socket_fd, request.get(), sizeof *request, 0) == sizeof *request) {
        request->order == Order::prepare ? answer_timed(*request) : answer_call(*request);
        previous_sequence = request->sequence;
    }
    return 0;
}
