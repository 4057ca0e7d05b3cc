// SPDX-License-Identifier: MIT
#include "gpucc/runtime/access_guard.hpp"

#include <link.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include "gpucc/seam/seam.hpp"

namespace gpucc {

namespace {

constexpr std::size_t max_cost = 20000;               // system calls, about 20 ms
constexpr std::size_t large = std::size_t{16} << 20;  // bytes that cost as much as another call
constexpr unsigned int seconds_to_find_place = 5;

thread_local int calls = 0;  // of the API, that this thread is in
struct sigaction previous_action;

/// The instructions of libgpu.so and libgpucc.so.
struct Instructions {
    std::uintptr_t begin = 0, end = 0;
};
std::array<Instructions, 2> own_code;

int note_code(dl_phdr_info* object, std::size_t, void*) {
    const bool is_runtime = std::strstr(object->dlpi_name, "libgpucc.so") != nullptr;
    if (!is_runtime && std::strstr(object->dlpi_name, "libgpu.so") == nullptr) return 0;
    for (int k = 0; k < object->dlpi_phnum; ++k)
        if (const auto& part = object->dlpi_phdr[k]; part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0)
            own_code[is_runtime ? 1 : 0] = {object->dlpi_addr + part.p_vaddr,
                                            object->dlpi_addr + part.p_vaddr + part.p_memsz};
    return 0;
}

std::uintptr_t instruction_of([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#else
    return 0;
#endif
}

// What the message says behind the place. It is made in a signal handler: no memory is allocated.
char sentence[512];
void make_sentence(const Call& call, std::size_t offset, std::size_t bytes, bool is_freed,
                   gpu::detail::HostAccessKind kind) {
    using gpu::detail::HostAccessKind;
    const char* const verb = kind == HostAccessKind::read ? "reads" : kind == HostAccessKind::write ? "writes" : "uses";
    const char* const advice =
        is_freed ? "it was freed, by cudaFree()"
        : kind == HostAccessKind::write
            ? "write to host memory and cudaMemcpy() it over (cudaMemcpyHostToDevice), or write in a kernel"
            : "cudaMemcpy() it back first (cudaMemcpyDeviceToHost)";
    std::snprintf(sentence, sizeof sentence,
                  "host code %s device memory, byte %zu of the %zu bytes of %s:%d: %s; on a GPU the program ends here, "
                  "too: %s\n",
                  verb, offset, bytes, call.file, call.line, call.name, advice);
}

void write_all(const char* text) { [[maybe_unused]] const ssize_t count = ::write(STDERR_FILENO, text, strlen(text)); }

// The place wasn't found in time, as when a lock was held where the program faulted.
void give_up(int) {
    write_all("gpucc: ");
    write_all(sentence);
    std::signal(SIGSEGV, SIG_DFL);
    ::raise(SIGSEGV);
    ::_exit(128 + SIGSEGV);
}

}  // namespace

AccessGuard& AccessGuard::get() {
    static AccessGuard* const guard = new AccessGuard;  // never destroyed
    return *guard;
}

void AccessGuard::begin() {
    if (Program::get().backend().device_count() != 1) return;
    ::dl_iterate_phdr(note_code, nullptr);
    gpu::detail::program::prepare_places();
    struct sigaction ours {};
    ours.sa_sigaction = handle;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&ours.sa_mask);
    is_on_ = ::sigaction(SIGSEGV, &ours, &previous_action) == 0;
}

void AccessGuard::add(const void* data, std::size_t bytes, const Call& call) {
    const std::lock_guard lock(mutex_);
    if (!is_on_) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    const auto is_old = [&](const Piece& piece) {  // its address is used again, or nobody needs it
        return piece.bytes == 0 || (piece.begin < begin + bytes && begin < piece.begin + piece.bytes);
    };
    Piece* place = nullptr;
    for (std::size_t k = 0; k < used_; ++k)
        if (is_old(pieces_[k])) {
            pieces_[k].bytes = 0;
            place = &pieces_[k];
        }
    if (place == nullptr && used_ == pieces_.size())
        for (Piece& piece : pieces_)
            if (piece.is_freed) place = &piece;
    if (place == nullptr && used_ == pieces_.size()) return;
    if (place == nullptr) place = &pieces_[used_];
    place->bytes = 0;
    place->begin = begin;
    place->call = call;
    place->is_freed = false;
    place->bytes = bytes;
    if (place == &pieces_[used_]) ++used_;
}

void AccessGuard::mark_freed(const void* data) {
    const std::lock_guard lock(mutex_);
    for (std::size_t k = 0; k < used_; ++k)
        if (pieces_[k].bytes > 0 && pieces_[k].begin == reinterpret_cast<std::uintptr_t>(data))
            pieces_[k].is_freed = true;
}

bool AccessGuard::is_idle() {
    const std::lock_guard lock(mutex_);
    return is_on_ && queued_ == done_;
}

std::uint64_t AccessGuard::enter(Effect effect) {
    ++calls;
    const std::lock_guard lock(mutex_);
    if (effect == Effect::queues) ++queued_;
    if (inside_++ == 0 && is_closed_) {
        is_closed_ = false;
        set_access(PROT_READ | PROT_WRITE);
    }
    return queued_;
}

void AccessGuard::leave(Effect effect, std::uint64_t mark) {
    --calls;
    const std::lock_guard lock(mutex_);
    if (effect == Effect::waits) done_ = std::max(done_, mark);
    if (--inside_ > 0 || !is_on_ || queued_ != done_ || cost_ > max_cost) return;
    is_closed_ = true;
    set_access(PROT_NONE);
}

// An array has pages of its own, whose last one it ends in.
void AccessGuard::set_access(int protection) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    for (std::size_t k = 0; k < used_; ++k) {
        const Piece& piece = pieces_[k];
        if (piece.bytes == 0 || piece.is_freed) continue;
        const std::uintptr_t begin = piece.begin & ~(page - 1),
                             end = (piece.begin + piece.bytes + page - 1) & ~(page - 1);
        ::mprotect(reinterpret_cast<void*>(begin), end - begin, protection);
        cost_ += 1 + (end - begin) / large;
    }
}

AccessGuard::Piece* AccessGuard::piece_at(std::uintptr_t address) {
    for (std::size_t k = 0; k < used_; ++k)
        if (pieces_[k].holds(address)) return &pieces_[k];
    return nullptr;
}

void AccessGuard::handle(int signal, siginfo_t* info, void* context) {
    AccessGuard& guard = get();
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    Piece* const piece = info->si_code > 0 ? guard.piece_at(address) : nullptr;
    if (piece != nullptr) {
        const int error = errno;
        const std::uintptr_t instruction = instruction_of(context);
        const bool is_own = std::any_of(own_code.begin(), own_code.end(), [&](const Instructions& code) {
            return code.begin <= instruction && instruction < code.end;
        });
        if (!piece->is_freed && (calls > 0 || is_own || !guard.is_closed_)) {  // opened meanwhile, or by libgpu itself
            const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
            const std::uintptr_t begin = piece->begin & ~(page - 1);
            ::mprotect(reinterpret_cast<void*>(begin), piece->begin + piece->bytes - begin, PROT_READ | PROT_WRITE);
            errno = error;
            return;
        }
        make_sentence(piece->call, address - piece->begin, piece->bytes, piece->is_freed,
                      gpu::detail::program::kind_of_fault(context));
        std::signal(SIGSEGV, SIG_DFL);  // if finding the place faults, too
        std::signal(SIGALRM, give_up);
        ::alarm(seconds_to_find_place);
        const std::string place = gpu::detail::program::place_of_fault(instruction);
        ::alarm(0);
        write_all("gpucc: ");
        write_all(place.c_str());
        write_all(place.empty() ? "" : ": ");
        write_all(sentence);
        return;  // the instruction faults again, and the program ends
    }
    if ((previous_action.sa_flags & SA_SIGINFO) != 0 && previous_action.sa_sigaction != nullptr)
        return previous_action.sa_sigaction(signal, info, context);
    if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN)
        return previous_action.sa_handler(signal);
    std::signal(SIGSEGV, SIG_DFL);
    if (info->si_code <= 0) ::raise(signal);
}

}  // namespace gpucc
