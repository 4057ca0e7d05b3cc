// SPDX-License-Identifier: MIT
#include "symbolize/program_places.hpp"

#include <dlfcn.h>
#include <link.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "host/base/process.hpp"

namespace gpu::detail {

namespace {

constexpr std::size_t max_looked_up = 20;  // frames per stack

std::string own_program() {
    std::array<char, 4096> path{};
    const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size() - 1);
    return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : std::string();
}

// libc's memmove, for example: with debug information for it, its lines would be found, but nobody wants those.
bool is_systems(const std::string& object) {
    for (const char* const folder : {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"})
        if (object.rfind(folder, 0) == 0) return true;
    return false;
}

std::pair<std::string, std::uintptr_t> locate(std::uintptr_t instruction) {
    Dl_info info{};
    struct link_map* map = nullptr;
    if (::dladdr1(reinterpret_cast<void*>(instruction), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 ||
        map == nullptr)
        return {};
    const bool is_program = map->l_name == nullptr || *map->l_name == '\0';
    if (!is_program && is_systems(map->l_name)) return {};
    return {is_program ? own_program() : std::string(map->l_name), instruction - map->l_addr};
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

bool is_learners(const std::string& file) {
    const bool systems = file.compare(0, 13, "/usr/include/") == 0 || file.compare(0, 9, "/usr/lib/") == 0 ||
                         has(file, "/include/c++/") || has(file, "/include/gpu/") || has(file, "/libgpu/src/") ||
                         has(file, "/include/course/") || has(file, "/Eigen/");
    return !systems && file.compare(0, 2, "??") != 0 && !file.empty();
}

// "mul<float>" for "void mul<float>(float const*)", and for things inside it: "mul<float>::{lambda()#1}::...".
std::string plain_function(std::string name) {
    name.resize(std::min(name.find("::{lambda"), name.size()));
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t k = 0; k < name.size(); ++k) {
        const char c = name[k];
        if (c == '<') ++depth;
        if (c == '>') --depth;
        if (depth == 0 && c == ' ') begin = k + 1;
        if (depth == 0 && c == '(' && name.compare(k, 11, "(anonymous ") != 0) {
            name.resize(k);
            break;
        }
        if (depth == 0 && c == '(') k = name.find(')', k);
        if (k == std::string::npos) break;
    }
    constexpr const char* unnamed = "(anonymous namespace)::";
    name = name.substr(std::min(begin, name.size()));
    for (std::size_t at; (at = name.find(unnamed)) != std::string::npos;) name.erase(at, 23);
    const bool is_name = !name.empty() && !has(name, "??") && !has(name, "operator");
    return is_name && name.compare(0, 8, "_DOCTEST") != 0 ? name : std::string();
}

}  // namespace

ProgramPlace place_in(const std::string& lines) {
    std::istringstream stream(lines);
    ProgramPlace none;
    for (std::string function, place; std::getline(stream, function) && std::getline(stream, place);) {
        place.resize(std::min(place.find(" (disc"), place.size()));
        const std::size_t colon = place.rfind(':');
        if (colon == std::string::npos) continue;
        const std::string file = place.substr(0, colon);
        const int line = std::atoi(place.c_str() + colon + 1);
        if (line <= 0) continue;
        none.function = plain_function(function);  // the compiler may not have recorded inlining
        if (!is_learners(file)) continue;
        const std::size_t slash = file.rfind('/');
        return {slash == std::string::npos ? file : file.substr(slash + 1), line, plain_function(function)};
    }
    return none;
}

const ProgramPlace& PlaceFinder::place_of(const ObjectOffset& at) {
    const auto [entry, is_new] = known_.try_emplace(at);
    if (!is_new) return entry->second;
    std::unique_ptr<Addr2line>& object = objects_[at.first];
    if (object == nullptr) object = std::make_unique<Addr2line>(at.first);
    return entry->second = place_in(object->ask(at.second));
}

ProgramPlace PlaceFinder::find(std::span<const std::uintptr_t> stack) {
    if (std::exchange(owner_, ::getpid()) != ::getpid()) objects_.clear();  // a forked child starts its own programs
    ProgramPlace found;
    std::string object;  // the first one with lines: callers in another one aren't to blame
    for (const std::uintptr_t instruction : stack) {
        const ObjectOffset at = locate(instruction);
        if (at.first.empty() || (!object.empty() && at.first != object)) continue;
        const ProgramPlace& place = place_of(at);
        if (!place.file.empty() || !place.function.empty()) object = at.first;
        if (!place.file.empty() || found.function.empty()) found = place;
        if (!place.file.empty()) break;
    }
    return found;
}

std::vector<ProgramPlace> learners_places(const std::vector<std::vector<std::uintptr_t>>& stacks) {
    PlaceFinder finder;
    std::vector<ProgramPlace> places;
    for (const auto& stack : stacks)
        places.push_back(finder.find(std::span(stack).first(std::min(stack.size(), max_looked_up))));
    return places;
}

namespace {

constexpr int answer_ms = 60'000;
// Sent after each address, because an answer's number of lines isn't known: nothing is there.
constexpr const char* nowhere = "0xffffffffffffffff";

// The answer to `nowhere` is the address itself and two more lines.
bool is_whole(const std::string& answer) {
    std::size_t at = answer.find(nowhere);
    for (int lines = 0; lines < 3 && at != std::string::npos; ++lines) {
        at = answer.find('\n', at);
        if (at != std::string::npos) ++at;
    }
    return at != std::string::npos;
}

}  // namespace

Addr2line::Addr2line(const std::string& object) : owner_(::getpid()) {
    int ends[2];
    if (::access(object.c_str(), R_OK) != 0 || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
    socket_ = UniqueFd(ends[0]);
    const UniqueFd other(ends[1]);
    if (host::start_program(child_, {"addr2line", "-a", "-f", "-i", "-C", "-e", object}, {ends[1], ends[1], -1}) != 0)
        stop();
}

Addr2line::~Addr2line() { stop(); }

void Addr2line::stop() noexcept {
    socket_.reset();  // that is its end of input
    if (child_ < 0 || owner_ != ::getpid()) return;
    host::wait_for_end(child_);
    child_ = -1;
}

std::string Addr2line::ask(std::uintptr_t offset) {
    if (!socket_ || owner_ != ::getpid()) return {};
    std::array<char, 64> question{};
    const int length =
        std::snprintf(question.data(), question.size(), "0x%zx\n%s\n", static_cast<std::size_t>(offset), nowhere);
    std::string answer;
    bool works = ::send(socket_.get(), question.data(), static_cast<std::size_t>(length), MSG_NOSIGNAL) == length;
    while (works && !is_whole(answer)) {
        pollfd waited{.fd = socket_.get(), .events = POLLIN, .revents = 0};
        const int ready = ::poll(&waited, 1, answer_ms);
        if (ready < 0 && errno == EINTR) continue;
        std::array<char, 4096> buffer{};
        const ssize_t got = ready > 0 ? ::read(socket_.get(), buffer.data(), buffer.size()) : 0;
        works = got > 0;
        if (works) answer.append(buffer.data(), static_cast<std::size_t>(got));
    }
    if (!works) {
        if (child_ > 0) ::kill(child_, SIGKILL);
        stop();
        return {};
    }
    const std::size_t begin = answer.find('\n') + 1;  // after the address itself
    return answer.substr(begin, answer.rfind(nowhere) - begin);
}

}  // namespace gpu::detail
