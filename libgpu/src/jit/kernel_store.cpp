// SPDX-License-Identifier: MIT
#include "jit/kernel_store.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <gpu/error.hpp>
#include <gpu/fuse.hpp>
#include <gpu/kernel_cache.hpp>

#include "base/fork_safe_mutex.hpp"
#include "jit/compile_error.hpp"
#include "jit/file_cache.hpp"

namespace gpu::detail {

namespace {

// To be increased when the layout of cached files or the way kernels are called changes.
constexpr const char* format_version = "1";

struct Store {
    ForkSafeMutex mutex;
    std::unordered_map<std::string, std::shared_ptr<LoadedKernel>> loaded;
    std::unordered_map<std::string, std::string> digests;   // of their sources, while keys are checked
};

Store& store() {
    static auto* const instance = new Store;  // leaked: kernels must not be unloaded after the driver has gone
    return *instance;
}

// LIBGPU_DUMP: a kernel's file in that folder, "add-01234567.cu"; empty: nothing is written.
std::filesystem::path dump_file(const CacheKey& key, const char* extension) {
    const char* const folder = std::getenv("LIBGPU_DUMP");
    if (folder == nullptr || *folder == '\0') return {};
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    return std::filesystem::path(folder) / (key.name + "-" + key.digest.substr(0, 8) + extension);
}

// Whoever set the variable will look for the files: one line says, once, why there are none.
void dump(const std::filesystem::path& file, std::string_view bytes) {
    if (file.empty()) return;
    std::ofstream out(file, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    static std::atomic<bool> told{false};
    if (!out && !told.exchange(true))
        std::fprintf(stderr, "libgpu: LIBGPU_DUMP: %s can't be written\n", file.c_str());
}

void dump_source(const CacheKey& key, const KernelSource& source) { dump(dump_file(key, ".cu"), source.text); }

// The compiler's output: a shared object, or a cubin (an ELF file), or PTX for a GPU that is newer than the compiler.
void dump_image(const CacheKey& key, const Image& image, BackendKind kind) {
    constexpr char elf[] = {0x7f, 'E', 'L', 'F'};
    const auto* const bytes = reinterpret_cast<const char*>(image.bytes.data());
    const bool is_elf = image.bytes.size() > 4 && std::equal(elf, elf + 4, bytes);
    const char* const extension = kind == BackendKind::host ? ".so" : is_elf ? ".cubin" : ".ptx";
    dump(dump_file(key, extension), {bytes, image.bytes.size()});
}

// Calls `use` with the source's image, from disk or compiled.
template <class Use>
auto with_image(Device device, Backend& backend, const KernelSource& source, const Use& use) {
    const std::shared_ptr<void> access = backend.host_access();  // files are read into memory that check mode may watch
    std::vector<std::string> parts{format_version,
                                   backend.compiler_identity(device.index()),
                                   std::to_string(static_cast<int>(source.mode)) + (source.only_cuda ? " CUDA" : ""),
                                   source.text,
                                   source.refusals + (source.unresolved.is_certain ? "no such kernel" : ""),
                                   std::to_string(source.entries.size())};
    parts.insert(parts.end(), source.entries.begin(), source.entries.end());
    parts.insert(parts.end(), source.options.begin(), source.options.end());
    const CacheKey key = make_cache_key(source.name, parts);
    dump_source(key, source);
    const FileCache files = FileCache::of_this_user();
    if (auto image = files.find(key)) {
        try {
            auto used = use(*image);
            cache_counters().hits += 1;
            dump_image(key, *image, backend.kind());
            return used;
        } catch (const Error&) {
            // An intact file with another kernel's image: compiled again below.
        }
    }
    try {
        const Image image = backend.compile(device.index(), source);
        cache_counters().misses += 1;
        dump_image(key, image, backend.kind());
        files.store(key, image);
        return use(image);
    } catch (const CompileFailure& failure) {
        fail_to_compile(source, failure);
    }
}

std::string full_key_of(Device device, const Backend& backend, const std::string& key) {
    return device.to_string() + '\0' + backend.variant() + '\0' + key;
}

std::atomic<bool> keys_are_checked{false};

// Everything that one kernel has and another may not have.
std::string digest_of(const KernelSource& source) {
    const SourceText& own = source.learners;
    std::vector<std::string> parts{source.name, source.text, source.heads, source.refusals,
                                   own.text, own.file, own.plain, own.made_in, std::to_string(own.line),
                                   std::to_string(static_cast<int>(source.mode)) + (source.only_cuda ? " CUDA" : ""),
                                   std::to_string(source.entries.size())};
    parts.insert(parts.end(), source.entries.begin(), source.entries.end());
    parts.insert(parts.end(), source.options.begin(), source.options.end());
    return make_cache_key(source.name, parts).digest;
}

std::string printable(std::string_view key) {
    std::string text;
    for (const char letter : key) {
        const auto byte = static_cast<unsigned char>(letter);
        char escaped[5];
        std::snprintf(escaped, sizeof escaped, byte > 31 && byte < 127 ? "%c" : "\\x%02x", byte);
        text += escaped;
    }
    return text;
}

void check_key(const std::string& full_key, const std::function<KernelSource()>& make_source) {
    if (!keys_are_checked) return;
    const KernelSource source = make_source();
    const std::string digest = digest_of(source);
    const std::lock_guard lock(store().mutex);
    if (store().digests.emplace(full_key, digest).first->second == digest) return;
    throw std::logic_error("internal error: kernel " + source.name + " has the key of another kernel: " +
                           printable(full_key));
}

std::shared_ptr<LoadedKernel> find_loaded(const std::string& full_key) {
    const std::lock_guard lock(store().mutex);
    const auto found = store().loaded.find(full_key);
    return found != store().loaded.end() ? found->second : nullptr;
}

// Without the lock: two threads may compile the same kernel, which is wasteful but right, and others don't have to
// wait.
std::shared_ptr<LoadedKernel> load(Device device, Backend& backend, const KernelSource& source) {
    return with_image(device, backend, source,
                      [&](const Image& image) { return backend.load(device.index(), image, source); });
}

// If another thread was first, its kernel stays.
std::shared_ptr<LoadedKernel> keep(const std::string& full_key, std::shared_ptr<LoadedKernel> kernel) {
    const std::lock_guard lock(store().mutex);
    return store().loaded.emplace(full_key, std::move(kernel)).first->second;
}

thread_local std::string* kernel_notes = nullptr;

void note_kernel(const std::function<KernelSource()>& make_source) {
    if (kernel_notes == nullptr) return;
    const KernelSource source = make_source();
    *kernel_notes += "// " + source.name + '\n' + source.text + '\n';
}

}  // namespace

void check_kernel_keys(bool on) noexcept { keys_are_checked = on; }
bool checks_kernel_keys() noexcept { return keys_are_checked; }

bool notes_kernels() noexcept { return kernel_notes != nullptr; }

KernelListing::KernelListing() : before_(std::exchange(kernel_notes, &text_)) {}
KernelListing::~KernelListing() { kernel_notes = before_; }

std::shared_ptr<LoadedKernel> find_kernel(Device device, Backend& backend, const std::string& key,
                                          const std::function<KernelSource()>& make_source) {
    note_kernel(make_source);
    const std::string full_key = full_key_of(device, backend, key);
    check_key(full_key, make_source);
    if (auto known = find_loaded(full_key)) return known;
    return keep(full_key, load(device, backend, make_source()));
}

KernelPair find_kernels(Device device, Backend& backend, const std::string& key,
                        const std::function<KernelSource()>& make_first,
                        const std::function<KernelSource()>& make_second) {
    note_kernel(make_first);
    note_kernel(make_second);
    const std::string first_key = full_key_of(device, backend, key);
    const std::string second_key = full_key_of(device, backend, '+' + key);
    check_key(first_key, make_first);
    check_key(second_key, make_second);
    KernelPair pair{find_loaded(first_key), find_loaded(second_key)};
    if (pair.first != nullptr && pair.second != nullptr) return pair;
    KernelSource source;
    std::string source_key;
    std::future<std::shared_ptr<LoadedKernel>> loading;  // its destructor waits
    if (pair.second == nullptr) {
        source = make_second();
        source_key = full_key_of(device, backend, '=' + source.text);
        for (const std::string& option : source.options) source_key += '\0' + option;
        pair.second = find_loaded(source_key);
    }
    if (pair.second == nullptr) {  // no thread could be started
        const auto policy = std::launch::deferred | (pair.first ? std::launch::deferred : std::launch::async);
        loading = std::async(policy, [&] { return load(device, backend, source); });
    }
    if (pair.first == nullptr) pair.first = keep(first_key, load(device, backend, make_first()));
    if (loading.valid()) pair.second = keep(source_key, loading.get());
    pair.second = keep(second_key, pair.second);
    return pair;
}

LoadedImage load_image(Device device, Backend& backend, const KernelSource& source) {
    return with_image(device, backend, source, [&](const Image& image) {
        return LoadedImage{backend.load_module(device.index(), image, source), image.entries};
    });
}

std::string compiled_entry(Device device, Backend& backend, const KernelSource& source) {
    return with_image(device, backend, source,
                      [](const Image& image) { return image.entries.empty() ? std::string() : image.entries.front(); });
}

}  // namespace gpu::detail

namespace gpu {

using detail::FileCache;

KernelCache kernel_cache() noexcept { return {}; }

std::string KernelCache::folder() const { return detail::cache_folder().string(); }
std::uint64_t KernelCache::limit() const { return detail::cache_limit(); }

CacheStatistics KernelCache::statistics() const {
    const detail::CacheCounters& counters = detail::cache_counters();
    CacheStatistics result{.hits = counters.hits, .misses = counters.misses, .evictions = counters.evictions};
    for (const auto& file : FileCache::of_this_user().files()) {
        result.files += 1;
        result.bytes += file.size;
    }
    return result;
}

void KernelCache::clear() { FileCache::of_this_user().clear(); }

}  // namespace gpu
