// SPDX-License-Identifier: MIT
#include "run/runner/connection.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <memory>
#include <typeinfo>

#include <gpu/error.hpp>

namespace course::runner {
namespace {

[[noreturn]] void leave() noexcept { ::_exit(protocol::connection_lost); }

void* map(int descriptor, std::size_t bytes, int protection) noexcept {
    void* address = ::mmap(nullptr, bytes, protection, MAP_SHARED, descriptor, 0);
    if (address == MAP_FAILED) leave();
    return address;
}

}  // namespace

Connection::Connection()
    : input_(static_cast<const std::byte*>(map(protocol::input_fd, protocol::input_bytes, PROT_READ)),
             protocol::input_bytes),
      output_(static_cast<std::byte*>(map(protocol::output_fd, protocol::output_bytes, PROT_READ | PROT_WRITE)),
              protocol::output_bytes) {}

bool Connection::receive(protocol::Request& request) {
    for (;;) {
        const ssize_t size = ::recv(protocol::socket_fd, &request, sizeof request, 0);
        if (size == 0) return false;
        if (size < 0 && errno == EINTR) continue;
        if (size != sizeof request || request.magic != protocol::magic || request.version != protocol::version) leave();
        return true;
    }
}

void Connection::send(const protocol::Reply& reply) {
    ssize_t size = 0;
    while ((size = ::send(protocol::socket_fd, &reply, sizeof reply, MSG_NOSIGNAL)) < 0 && errno == EINTR) {}
    if (size != sizeof reply) leave();
}

protocol::ClockPage& Connection::clock() const noexcept {
    return *reinterpret_cast<protocol::ClockPage*>(output_.data() + protocol::clock_offset);
}

const protocol::CanaryPage& Connection::canaries() const noexcept {
    return *reinterpret_cast<const protocol::CanaryPage*>(output_.data() + protocol::canary_offset);
}

protocol::LedgerPage& Connection::ledger() const noexcept {
    return *reinterpret_cast<protocol::LedgerPage*>(output_.data() + protocol::ledger_offset);
}

void set_message(protocol::Reply& reply, std::string_view message) {
    reply.message_size = static_cast<std::uint32_t>(std::min(message.size(), protocol::message_bytes));
    std::copy_n(message.begin(), reply.message_size, reply.message);
}

protocol::Reply make_reply(std::uint64_t sequence, protocol::Status status, std::string_view message) {
    protocol::Reply reply{};
    reply.magic = protocol::magic;
    reply.version = protocol::version;
    reply.sequence = sequence;
    reply.status = status;
    set_message(reply, message);
    return reply;
}

using protocol::Status;

std::string demangle(const char* name) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> readable(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                          std::free);
    return status == 0 && readable ? readable.get() : name;
}

Failure current_failure() noexcept try {
    throw;
} catch (const gpu::CompileError& error) {
    return {Status::kernel_does_not_compile, error.what()};
} catch (const gpu::LaunchError& error) {
    return {Status::kernel_fault, error.what()};
} catch (const std::exception& error) {
    return {Status::exception, demangle(typeid(error).name()) + ": " + error.what()};
} catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    return {Status::exception, "a value of type " + (type != nullptr ? demangle(type->name()) : "unknown")};
}

}  // namespace course::runner
