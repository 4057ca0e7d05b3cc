// SPDX-License-Identifier: MIT
#include "class_report/pseudonyms.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <sodium.h>

#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::array<std::string_view, 32> colours = {
    "amber", "azure",  "beige",  "black", "blue",  "bronze", "brown",  "copper", "coral",  "cream", "crimson",
    "cyan",  "golden", "green",  "grey",  "ivory", "jade",   "lilac",  "lime",   "mauve",  "navy",  "ochre",
    "olive", "orange", "purple", "red",   "rose",  "ruby",   "silver", "teal",   "violet", "white"};
constexpr std::array<std::string_view, 32> animals = {
    "badger", "beaver", "bison", "crane",  "deer",  "dolphin", "eagle", "falcon", "ferret", "finch", "fox",
    "gecko",  "heron",  "ibex",  "jay",    "koala", "lark",    "lemur", "lynx",   "marten", "mole",  "moth",
    "newt",   "otter",  "panda", "puffin", "raven", "robin",   "seal",  "stork",  "swift",  "tern"};

std::string name_of(const std::string& id, unsigned char turn, const std::string& key) {
    std::array<unsigned char, 16> hash{};
    const std::string text = id + '\0' + static_cast<char>(turn);
    ::crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                         reinterpret_cast<const unsigned char*>(key.data()), key.size());
    return fmt::format("{} {} {}", colours[hash[0] % colours.size()], animals[hash[1] % animals.size()],
                       100 + (hash[2] * 256 + hash[3]) % 900);
}

}  // namespace

std::map<std::string, std::string> pseudonyms(const std::vector<std::string>& ids, const std::string& key) {
    std::map<std::string, std::string> names;
    std::set<std::string> taken;
    std::vector<std::string> sorted = ids;
    std::sort(sorted.begin(), sorted.end());
    for (const std::string& id : sorted) {
        if (names.contains(id)) continue;
        unsigned char turn = 0;
        std::string name = name_of(id, turn, key);
        while (!taken.insert(name).second) name = name_of(id, ++turn, key);
        names.emplace(id, name);
    }
    return names;
}

std::string pseudonym_key(const fs::path& file) {
    constexpr std::size_t length = 32;
    if (sodium_init() < 0) throw std::runtime_error("libsodium can't be used: the system gives it no random numbers");
    if (fs::exists(file))
        if (std::string key = read_file(file, length); key.size() == length) return key;
    std::string key(length, '\0');
    ::randombytes_buf(key.data(), key.size());
    write_file_atomically(file, key, 0600);
    return key;
}

}  // namespace course
