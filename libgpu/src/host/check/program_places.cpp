// SPDX-License-Identifier: MIT
#include "host/check/program_places.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <map>
#include <sstream>
#include <utility>

#include "host/compile/process.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::chrono::seconds places_limit{60};
constexpr std::size_t most_looked_up = 8;  // frames of a stack

struct ObjectOffset {
    std::string object;
    std::uintptr_t offset = 0;
    friend auto operator<=>(const ObjectOffset&, const ObjectOffset&) = default;
};

std::string own_program() {
    std::array<char, 4096> path{};
    const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size() - 1);
    return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : std::string();
}

// libc's memmove, say: who has its debug information sees its lines, which are nobody's answer.
bool is_systems(const std::string& object) {
    for (const char* const folder : {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"})
        if (object.rfind(folder, 0) == 0) return true;
    return false;
}

ObjectOffset locate(std::uintptr_t instruction) {
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
                         has(file, "/include/c++/") || has(file, "/include/gpu/") || has(file, "/include/course/") ||
                         has(file, "/Eigen/");
    return !systems && file.compare(0, 2, "??") != 0 && !file.empty();
}

// "mul<float>" of "void mul<float>(float const*)", and of what is inside of it: "mul<float>::{lambda()#1}::...".
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

// All addresses of one object at once.
void look_up(const std::string& object, std::map<ObjectOffset, ProgramPlace>& places) {
    const std::string program = find_program("addr2line");
    if (program.empty() || ::access(object.c_str(), R_OK) != 0) return;
    std::vector<std::string> command{program, "-a", "-f", "-i", "-C", "-e", object};
    for (const auto& [at, place] : places) {
        if (at.object != object) continue;
        std::array<char, 32> digits{};
        std::snprintf(digits.data(), digits.size(), "0x%zx", static_cast<std::size_t>(at.offset));
        command.emplace_back(digits.data());
    }
    const ProcessResult result = run_process(command, {"LC_ALL=C"}, places_limit);
    std::istringstream lines(result.output);
    std::string about;
    std::uintptr_t offset = 0;
    const auto end_of_address = [&] {
        if (const auto found = places.find({object, offset}); found != places.end()) found->second = place_in(about);
        about.clear();
    };
    for (std::string line; std::getline(lines, line);) {
        if (line.compare(0, 2, "0x") != 0) {
            about += line + '\n';
            continue;
        }
        end_of_address();
        offset = std::strtoull(line.c_str(), nullptr, 16);
    }
    end_of_address();
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
        none.function = plain_function(function);  // the compiler may not have said what it put into which
        if (!is_learners(file)) continue;
        const std::size_t slash = file.rfind('/');
        return {slash == std::string::npos ? file : file.substr(slash + 1), line, plain_function(function)};
    }
    return none;
}

std::vector<ProgramPlace> learners_places(const std::vector<std::vector<std::uintptr_t>>& stacks) {
    std::map<ObjectOffset, ProgramPlace> places;
    std::vector<std::vector<ObjectOffset>> located;
    for (const auto& stack : stacks) {
        auto& frames = located.emplace_back();
        for (std::size_t k = 0; k < std::min(stack.size(), most_looked_up); ++k) {
            frames.push_back(locate(stack[k]));
            if (!frames.back().object.empty()) places.try_emplace(frames.back());
        }
    }
    std::string last;
    std::vector<std::string> objects;
    for (const auto& [at, place] : places)
        if (at.object != std::exchange(last, at.object)) objects.push_back(at.object);
    for (const std::string& object : objects) look_up(object, places);
    std::vector<ProgramPlace> result;
    for (const auto& frames : located) {
        auto& found = result.emplace_back();
        std::string object;  // the first one with lines: who called it from another one isn't to blame
        for (const ObjectOffset& at : frames) {
            const auto known = places.find(at);
            if (known == places.end() || (!object.empty() && at.object != object)) continue;
            const ProgramPlace& place = known->second;
            if (!place.file.empty() || !place.function.empty()) object = at.object;
            if (!place.file.empty() || found.function.empty()) found = place;
            if (!place.file.empty()) break;
        }
    }
    return result;
}

}  // namespace gpu::detail::host
