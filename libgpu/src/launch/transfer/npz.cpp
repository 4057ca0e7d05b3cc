// SPDX-License-Identifier: MIT
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gpu/error.hpp>
#include <gpu/npy.hpp>

#include "array/npy_header.hpp"
#include "array/zip_archive.hpp"
#include "launch/transfer/npy_source.hpp"

namespace gpu {

namespace detail {

namespace {

constexpr std::string_view ending = ".npy";

// "there are 'x' and 'y'"
std::string names_text(const std::vector<std::string>& names) {
    if (names.empty()) return "there are no arrays in it";
    std::string text = names.size() == 1 ? "there is " : "there are ";
    constexpr std::size_t max_listed = 20;
    for (std::size_t k = 0; k < names.size() && k < max_listed; ++k)
        text += (k == 0 ? "'" : k + 1 == names.size() ? " and '" : ", '") + names[k] + "'";
    return text + (names.size() > max_listed ? ", ..." : "");
}

[[noreturn]] void throw_no_array(const std::string& where, std::string_view name,
                                 const std::vector<std::string>& names) {
    throw FileError(where + ": there is no array '" + std::string(name) + "'; " + names_text(names));
}

// An archive on disk.
class NpzFile {
public:
    explicit NpzFile(const std::string& path) : where_("load_npz(" + path + ")") {
        errno = 0;
        file_.open(path, std::ios::binary | std::ios::ate);
        if (!file_) throw FileError(where_ + ": " + std::strerror(errno));
        const auto bytes = static_cast<std::int64_t>(file_.tellg());
        if (bytes < 0 || !file_.seekg(0)) throw FileError(where_ + ": not a file that can be read");
        source_ = {.size = static_cast<std::uint64_t>(bytes),
                   .read = [this](std::uint64_t at, void* to, std::size_t n) {
                       if (n > 0 && (!file_.seekg(static_cast<std::streamoff>(at)) ||
                                     !file_.read(static_cast<char*>(to), static_cast<std::streamsize>(n))))
                           throw FileError(where_ + ": the file can't be read: " + std::strerror(errno));
                   }};
        for (ZipMember& member : zip_members(source_, where_)) {
            if (!member.name.ends_with(ending)) continue;  // np.savez writes no others
            member.name.resize(member.name.size() - ending.size());
            std::erase_if(members_,
                          [&](const ZipMember& one) { return one.name == member.name; });  // the last one counts
            members_.push_back(std::move(member));
        }
    }

    [[nodiscard]] const std::vector<ZipMember>& members() const noexcept { return members_; }
    [[nodiscard]] const std::string& where() const noexcept { return where_; }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const ZipMember& member : members_) all.push_back(member.name);
        return all;
    }

    ArrayCore load(const ZipMember& member, const WantedType& wanted) {
        Member bytes(where_ + ", '" + member.name + "'", zip_content(source_, member, where_));
        return read_npy(bytes, wanted);
    }

private:
    class Member : public NpySource {
    public:
        Member(std::string where, ZipContent content)
            : NpySource(std::move(where)), content_(std::move(content)), next_(content_.bytes.get()) {
            set_left(content_.size);
        }

    private:
        std::byte* next(std::size_t bytes) override { return std::exchange(next_, next_ + bytes); }

        ZipContent content_;
        std::byte* next_;
    };

    std::string where_;
    std::ifstream file_;
    ZipSource source_;
    std::vector<ZipMember> members_;
};

}  // namespace

ArrayCore load_npz(const std::string& path, std::string_view name, const WantedType& wanted) {
    NpzFile file(path);
    for (const ZipMember& member : file.members()) {
        if (member.name == name) return file.load(member, wanted);
    }
    throw_no_array(file.where(), name, file.names());
}

namespace {

void save_parts(const std::string& path, std::span<const NamedPart> parts, const SaveNpzOptions& options) {
    const std::string where = "save_npz(" + path + ")";
    std::set<std::string> names;
    for (const NamedPart& part : parts) {
        if (part.name().empty() || part.name().size() > 65'000 || part.name().find('\0') != std::string::npos) {
            throw FileError(where + ": an array's name has from 1 to 65000 bytes, and none of them is 0");
        }
        if (!names.insert(part.name()).second)
            throw FileError(where + ": two arrays have the name '" + part.name() + "'");
        // What the format lacks is refused before the file is opened.
        (void)npy_start({.dtype = part.core().dtype, .big_endian = false, .layout = Layout::row_major, .shape = {}});
    }
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    if (!file) throw FileError(where + ": " + std::strerror(errno));
    std::vector<ZipMember> members;
    std::uint64_t at = 0;
    const auto write = [&](const void* bytes, std::size_t count) {
        file.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
        at += count;
    };
    for (const NamedPart& part : parts) {
        const NpyBytes made = npy_bytes(part.core());
        const std::span<const std::byte> pieces[] = {std::as_bytes(std::span(made.start)),
                                                     {made.elements.get(), made.bytes}};
        const std::string packed = options.compress ? zip_deflated(pieces) : std::string();
        const std::uint64_t size = made.start.size() + made.bytes;
        const ZipMember member{.name = part.name() + std::string(ending),
                               .method = options.compress ? 8 : 0,
                               .packed = options.compress ? packed.size() : size,
                               .size = size,
                               .at = at,
                               .crc = zip_crc(pieces)};
        const std::string header = zip_local_header(member);
        write(header.data(), header.size());
        if (options.compress) {
            write(packed.data(), packed.size());
        } else {
            for (const std::span<const std::byte> piece : pieces) write(piece.data(), piece.size());
        }
        members.push_back(member);
    }
    const std::string directory = zip_directory(members, at);
    write(directory.data(), directory.size());
    file.close();
    if (!file) throw FileError(where + ": the file can't be written: " + std::strerror(errno));
}

}  // namespace

}  // namespace detail

NamedArrays::NamedArrays() : NamedArrays(std::vector<NamedArray>()) {}
NamedArrays::NamedArrays(std::vector<NamedArray> arrays)
    : arrays_(std::make_shared<const std::vector<NamedArray>>(std::move(arrays))) {}

const AnyArray& NamedArrays::operator[](std::string_view name) const {
    for (const NamedArray& one : *this)
        if (one.name == name) return one.array;
    std::vector<std::string> names;
    for (const NamedArray& one : *this) names.push_back(one.name);
    detail::throw_no_array("gpu::NamedArrays", name, names);
}

bool NamedArrays::contains(std::string_view name) const noexcept {
    for (const NamedArray& one : *this)
        if (one.name == name) return true;
    return false;
}

std::size_t NamedArrays::size() const noexcept { return arrays_->size(); }
const NamedArray* NamedArrays::begin() const noexcept { return arrays_->data(); }
const NamedArray* NamedArrays::end() const noexcept { return arrays_->data() + arrays_->size(); }

NamedArrays load_npz(const std::string& path) {
    detail::NpzFile file(path);
    std::vector<NamedArray> arrays;
    for (const detail::ZipMember& member : file.members()) {
        arrays.push_back({member.name, AnyArray(file.load(member, {}))});
    }
    return NamedArrays(std::move(arrays));
}

void save_npz(const std::string& path, std::initializer_list<detail::NamedPart> arrays, const SaveNpzOptions& options) {
    detail::save_parts(path, {arrays.begin(), arrays.size()}, options);
}

void save_npz(const std::string& path, const NamedArrays& arrays, const SaveNpzOptions& options) {
    std::vector<detail::NamedPart> parts;
    for (const NamedArray& one : arrays) parts.emplace_back(one.name, one.array);
    detail::save_parts(path, parts, options);
}

}  // namespace gpu
