// SPDX-License-Identifier: MIT
#include "array/zip_archive.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <zlib.h>

#include <gpu/error.hpp>

namespace gpu::detail {

namespace {

constexpr std::uint32_t local_mark = 0x04034b50, entry_mark = 0x02014b50, end_mark = 0x06054b50;
constexpr std::uint32_t wide_end_mark = 0x06064b50, wide_locator_mark = 0x07064b50;
constexpr std::size_t local_bytes = 30, entry_bytes = 46, end_bytes = 22, wide_end_bytes = 56, wide_locator_bytes = 20;
constexpr std::uint64_t short_limit = 0xffff,
                        word_limit = 0xffffffff;  // these values stand for a wider field elsewhere
constexpr int stored = 0, deflated = 8, encrypted_flag = 1, utf8_flag = 0x800;

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
    throw FileError(where + ": the archive is broken: " + what);
}

std::string quoted(const ZipMember& member) { return "'" + member.name + "'"; }

// A little-endian number; the caller has checked that it is there.
std::uint64_t number(std::string_view text, std::size_t at, int bytes) {
    std::uint64_t value = 0;
    for (int k = bytes; k-- > 0;)
        value = value << 8 | static_cast<unsigned char>(text[at + static_cast<std::size_t>(k)]);
    return value;
}
void add(std::string& text, std::uint64_t value, int bytes) {
    for (int k = 0; k < bytes; ++k) text += static_cast<char>(value >> (8 * k) & 0xff);
}

std::string taken(const ZipSource& source, std::uint64_t at, std::uint64_t bytes, const std::string& where,
                  const char* what) {
    if (at > source.size || bytes > source.size - at) {
        refuse(where, std::string(what) + " would end after the file's last byte");
    }
    std::string text(static_cast<std::size_t>(bytes), '\0');
    source.read(at, text.data(), text.size());
    return text;
}

struct Directory {
    std::uint64_t entries = 0, bytes = 0, at = 0, end = 0;  // `end`: where what follows it begins
};

// The end record stands before a comment of at most 64 KiB.
Directory find_directory(const ZipSource& source, const std::string& where) {
    const std::uint64_t tail_bytes = std::min<std::uint64_t>(source.size, end_bytes + short_limit);
    const std::uint64_t tail_at = source.size - tail_bytes;
    const std::string tail = taken(source, tail_at, tail_bytes, where, "the last record");
    for (std::size_t k = tail.size() < end_bytes ? 0 : tail.size() - end_bytes + 1; k-- > 0;) {
        if (number(tail, k, 4) != end_mark || k + end_bytes + number(tail, k + 20, 2) != tail.size()) continue;
        Directory found{.entries = number(tail, k + 10, 2),
                        .bytes = number(tail, k + 12, 4),
                        .at = number(tail, k + 16, 4),
                        .end = tail_at + k};
        if (number(tail, k + 4, 2) != 0 && number(tail, k + 4, 2) != short_limit) {
            throw FileError(where + ": the archive has several parts; an archive of arrays is one file");
        }
        if (found.entries != short_limit && found.bytes != word_limit && found.at != word_limit) return found;
        if (found.end < wide_locator_bytes) refuse(where, "its 64-bit directory has no locator");
        const std::string locator =
            taken(source, found.end - wide_locator_bytes, wide_locator_bytes, where, "the directory's locator");
        if (number(locator, 0, 4) != wide_locator_mark) return found;  // these numbers are what they are
        const std::uint64_t wide_at = number(locator, 8, 8);
        const std::string wide = taken(source, wide_at, wide_end_bytes, where, "the 64-bit end record");
        if (number(wide, 0, 4) != wide_end_mark) refuse(where, "its 64-bit end record isn't where the locator says");
        return {
            .entries = number(wide, 32, 8), .bytes = number(wide, 40, 8), .at = number(wide, 48, 8), .end = wide_at};
    }
    throw FileError(where + ": not a complete archive of arrays (.npz): the directory at its end is missing");
}

// Replaces those of the three fields that don't fit 32 bits by the entry's 64-bit ones, which come in this order.
void widen(ZipMember& member, std::string_view extra, const std::string& where) {
    while (extra.size() >= 4) {
        const std::uint64_t id = number(extra, 0, 2), bytes = number(extra, 2, 2);
        if (bytes > extra.size() - 4) return;  // padding of some writers
        std::string_view field = extra.substr(4, bytes);
        extra.remove_prefix(4 + bytes);
        if (id != 1) continue;
        for (std::uint64_t* value : {&member.size, &member.packed, &member.at}) {
            if (*value != word_limit) continue;
            if (field.size() < 8) refuse(where, "the 64-bit sizes of " + quoted(member) + " are cut off");
            *value = number(field, 0, 8);
            field.remove_prefix(8);
        }
        return;
    }
}

// Memory that grows with what is written to it, up to a limit.
class Growing {
public:
    Growing(std::uint64_t first, std::uint64_t limit)
        : limit_(limit), capacity_(std::min(first, limit)), bytes_(new std::byte[capacity_]) {}

    // Room for more; empty at the limit.
    std::span<std::byte> room() {
        if (used_ == capacity_ && capacity_ < limit_) {
            const std::uint64_t wanted = capacity_ > limit_ / 2 ? limit_ : 2 * capacity_;
            std::unique_ptr<std::byte[]> larger(new std::byte[wanted]);
            std::memcpy(larger.get(), bytes_.get(), used_);
            bytes_ = std::move(larger);
            capacity_ = wanted;
        }
        return {bytes_.get() + used_, static_cast<std::size_t>(capacity_ - used_)};
    }
    void advance(std::size_t bytes) { used_ += bytes; }
    [[nodiscard]] ZipContent done() && { return {std::move(bytes_), static_cast<std::size_t>(used_)}; }

private:
    std::uint64_t limit_, capacity_, used_ = 0;
    std::unique_ptr<std::byte[]> bytes_;
};

constexpr std::size_t chunk = std::size_t{1} << 18;

// zlib's streams, which count in 32 bits.
class Inflater {
public:
    Inflater() { ready_ = inflateInit2(&stream_, -MAX_WBITS) == Z_OK; }
    ~Inflater() {
        if (ready_) inflateEnd(&stream_);
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    ZipContent run(const ZipSource& source, std::uint64_t at, const ZipMember& member, const std::string& where) {
        if (!ready_) throw FileError(where + ": no memory to unpack " + quoted(member));
        Growing out(std::max<std::uint64_t>(4 * member.packed, 4096), member.size);
        std::uint64_t left = member.packed;
        std::vector<unsigned char> in(static_cast<std::size_t>(std::min<std::uint64_t>(left, chunk)));
        for (;;) {
            if (stream_.avail_in == 0 && left > 0) {
                const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(left, in.size()));
                source.read(at, in.data(), bytes);
                at += bytes;
                left -= bytes;
                stream_.next_in = in.data();
                stream_.avail_in = static_cast<uInt>(bytes);
            }
            unsigned char one_more = 0;
            std::span<std::byte> room = out.room();
            const bool is_full = room.empty();
            if (is_full) room = {reinterpret_cast<std::byte*>(&one_more), 1};
            const auto offered = static_cast<uInt>(std::min<std::size_t>(room.size(), 1u << 30));
            stream_.next_out = reinterpret_cast<unsigned char*>(room.data());
            stream_.avail_out = offered;
            const int result = inflate(&stream_, Z_NO_FLUSH);
            const uInt written = offered - stream_.avail_out;
            if (is_full && written > 0) refuse(where, quoted(member) + " unpacks to more bytes than its entry says");
            if (!is_full) out.advance(written);
            if (result == Z_STREAM_END) return std::move(out).done();
            if (result != Z_OK && result != Z_BUF_ERROR) refuse(where, quoted(member) + " can't be unpacked");
            if (written == 0 && stream_.avail_in == 0 && left == 0) refuse(where, quoted(member) + " ends too early");
        }
    }

private:
    z_stream stream_{};
    bool ready_ = false;
};

// What both headers of a member have in common, from the version to the lengths.
void add_common(std::string& text, const ZipMember& member, bool is_wide, std::uint64_t extra_bytes) {
    bool is_ascii = true;
    for (const char letter : member.name) is_ascii = is_ascii && static_cast<unsigned char>(letter) < 128;
    add(text, is_wide ? 45 : 20, 2);
    add(text, static_cast<std::uint64_t>(is_ascii ? 0 : utf8_flag), 2);
    add(text, static_cast<std::uint64_t>(member.method), 2);
    add(text, 0x00210000, 4);  // 1980-01-01, as NumPy writes: the same arrays give the same bytes
    add(text, member.crc, 4);
    add(text, is_wide ? word_limit : member.packed, 4);
    add(text, is_wide ? word_limit : member.size, 4);
    add(text, member.name.size(), 2);
    add(text, extra_bytes, 2);
}

bool is_wide(const ZipMember& member) { return member.size >= word_limit || member.packed >= word_limit; }

}  // namespace

std::vector<ZipMember> zip_members(const ZipSource& source, const std::string& where) {
    const Directory directory = find_directory(source, where);
    if (directory.at > directory.end || directory.bytes > directory.end - directory.at) {
        refuse(where, "its directory overlaps what follows it");
    }
    if (directory.entries > directory.bytes / entry_bytes)
        refuse(where, "its directory has fewer entries than it says");
    std::string text = taken(source, directory.at, directory.bytes, where, "the directory");
    std::string_view rest = text;
    std::vector<ZipMember> members;
    for (std::uint64_t k = 0; k < directory.entries; ++k) {
        if (rest.size() < entry_bytes || number(rest, 0, 4) != entry_mark) refuse(where, "its directory is cut off");
        const std::uint64_t name_bytes = number(rest, 28, 2), extra = number(rest, 30, 2),
                            comment = number(rest, 32, 2);
        if (name_bytes + extra + comment > rest.size() - entry_bytes) refuse(where, "its directory is cut off");
        ZipMember member{.name = std::string(rest.substr(entry_bytes, name_bytes)),
                         .flags = static_cast<int>(number(rest, 8, 2)),
                         .method = static_cast<int>(number(rest, 10, 2)),
                         .packed = number(rest, 20, 4),
                         .size = number(rest, 24, 4),
                         .at = number(rest, 42, 4),
                         .crc = static_cast<std::uint32_t>(number(rest, 16, 4))};
        widen(member, rest.substr(entry_bytes + name_bytes, extra), where);
        members.push_back(std::move(member));
        rest.remove_prefix(entry_bytes + name_bytes + extra + comment);
    }
    return members;
}

ZipContent zip_content(const ZipSource& source, const ZipMember& member, const std::string& where) {
    if ((member.flags & encrypted_flag) != 0) throw FileError(where + ": " + quoted(member) + " is encrypted");
    if (member.method != stored && member.method != deflated) {
        throw FileError(where + ": " + quoted(member) + " is packed by method " + std::to_string(member.method) +
                        " of zip archives; stored (0) and deflated (8) members can be read");
    }
    const std::string header = taken(source, member.at, local_bytes, where, "the header of a member");
    if (number(header, 0, 4) != local_mark) refuse(where, "no member begins where " + quoted(member) + " should");
    const std::uint64_t data_at = member.at + local_bytes + number(header, 26, 2) + number(header, 28, 2);
    if (data_at > source.size || member.packed > source.size - data_at) {
        refuse(where, "the bytes of " + quoted(member) + " would end after the file's last byte");
    }
    ZipContent content;
    if (member.method == stored) {
        if (member.size != member.packed)
            refuse(where, quoted(member) + " is stored in another number of bytes than it has");
        content = {std::unique_ptr<std::byte[]>(new std::byte[member.size]), static_cast<std::size_t>(member.size)};
        source.read(data_at, content.bytes.get(), content.size);
    } else {
        content = Inflater().run(source, data_at, member, where);
    }
    const std::span<const std::byte> piece(content.bytes.get(), content.size);
    if (content.size != member.size || zip_crc({&piece, 1}) != member.crc) {
        refuse(where, "the bytes of " + quoted(member) + " aren't those that were saved: their checksum differs");
    }
    return content;
}

std::string zip_local_header(const ZipMember& member) {
    const bool wide = is_wide(member);
    std::string text;
    add(text, local_mark, 4);
    add_common(text, member, wide, wide ? 20 : 0);
    text += member.name;
    if (wide) {
        add(text, 1, 2);
        add(text, 16, 2);
        add(text, member.size, 8);
        add(text, member.packed, 8);
    }
    return text;
}

std::string zip_directory(const std::vector<ZipMember>& members, std::uint64_t at) {
    std::string text;
    for (const ZipMember& member : members) {
        const bool wide = is_wide(member), is_far = member.at >= word_limit;
        const std::uint64_t extra = (wide ? 16 : 0) + (is_far ? 8 : 0);
        add(text, entry_mark, 4);
        add(text, 3 << 8 | 45, 2);  // made as on Unix
        add_common(text, member, wide || is_far, extra == 0 ? 0 : extra + 4);
        if (is_far && !wide) {  // only the position is in the 64-bit field
            std::string sizes;
            add(sizes, member.packed, 4);
            add(sizes, member.size, 4);
            text.replace(text.size() - 12, 8, sizes);
        }
        add(text, 0, 2 + 2 + 2);                  // no comment, the first part, no text
        add(text, std::uint64_t{0644} << 16, 4);  // may be read by all
        add(text, is_far ? word_limit : member.at, 4);
        text += member.name;
        if (extra == 0) continue;
        add(text, 1, 2);
        add(text, extra, 2);
        if (wide) {
            add(text, member.size, 8);
            add(text, member.packed, 8);
        }
        if (is_far) add(text, member.at, 8);
    }
    const std::uint64_t bytes = text.size();
    if (members.size() >= short_limit || bytes >= word_limit || at >= word_limit) {
        const std::uint64_t wide_at = at + bytes;
        add(text, wide_end_mark, 4);
        add(text, wide_end_bytes - 12, 8);
        add(text, 45, 2);
        add(text, 45, 2);
        add(text, 0, 8);  // one part
        add(text, members.size(), 8);
        add(text, members.size(), 8);
        add(text, bytes, 8);
        add(text, at, 8);
        add(text, wide_locator_mark, 4);
        add(text, 0, 4);
        add(text, wide_at, 8);
        add(text, 1, 4);
    }
    add(text, end_mark, 4);
    add(text, 0, 4);
    add(text, std::min<std::uint64_t>(members.size(), short_limit), 2);
    add(text, std::min<std::uint64_t>(members.size(), short_limit), 2);
    add(text, std::min(bytes, word_limit), 4);
    add(text, std::min(at, word_limit), 4);
    add(text, 0, 2);
    return text;
}

std::uint32_t zip_crc(std::span<const std::span<const std::byte>> pieces) {
    uLong crc = crc32_z(0, nullptr, 0);
    for (const std::span<const std::byte> piece : pieces) {
        if (!piece.empty())  // nothing starts zlib's sum again
            crc = crc32_z(crc, reinterpret_cast<const unsigned char*>(piece.data()), piece.size());
    }
    return static_cast<std::uint32_t>(crc);
}

std::string zip_deflated(std::span<const std::span<const std::byte>> pieces) {
    z_stream stream{};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw FileError("no memory to compress an array");
    }
    const std::unique_ptr<z_stream, int (*)(z_stream*)> closing(&stream, deflateEnd);
    std::string text;
    std::vector<unsigned char> out(chunk);
    const auto run = [&](int flush) {
        for (;;) {
            stream.next_out = out.data();
            stream.avail_out = static_cast<uInt>(out.size());
            const int result = deflate(&stream, flush);
            text.append(reinterpret_cast<const char*>(out.data()), out.size() - stream.avail_out);
            if (flush == Z_FINISH ? result == Z_STREAM_END : stream.avail_out > 0) return;
        }
    };
    for (std::span<const std::byte> piece : pieces) {
        while (!piece.empty()) {
            const std::size_t bytes = std::min<std::size_t>(piece.size(), 1u << 30);
            stream.next_in = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(piece.data()));
            stream.avail_in = static_cast<uInt>(bytes);
            run(Z_NO_FLUSH);
            piece = piece.subspan(bytes);
        }
    }
    run(Z_FINISH);
    return text;
}

}  // namespace gpu::detail
