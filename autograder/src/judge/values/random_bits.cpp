// SPDX-License-Identifier: MIT
#include "judge/values/random_bits.hpp"

#include <cstring>
#include <stdexcept>

#include <sodium.h>

namespace course {

RandomBits::RandomBits(std::uint64_t seed, std::uint64_t use) : RandomBits(Key{seed, use, 0, 0}, 0) {
    if (sodium_init() < 0) throw std::runtime_error("libsodium can't be used: the system gives it no random numbers");
}

RandomBits RandomBits::of_piece(std::uint64_t k) const { return {Key{key_[0], key_[1], group_, 1}, k}; }

void RandomBits::refill() {
    constexpr std::size_t least = 64;   // numbers, to begin with: most checks draw few
    words_ = blocks_ == 0 ? least : block_.size();
    next_ = 0;
    std::array<unsigned char, crypto_stream_chacha20_KEYBYTES> key;
    std::array<unsigned char, crypto_stream_chacha20_NONCEBYTES> nonce;
    static_assert(sizeof key == sizeof key_ && sizeof nonce == sizeof stream_);
    std::memcpy(key.data(), key_.data(), sizeof key);
    std::memcpy(nonce.data(), &stream_, sizeof nonce);
    const std::size_t bytes = words_ * sizeof block_[0];
    std::memset(block_.data(), 0, bytes);
    auto* const text = reinterpret_cast<unsigned char*>(block_.data());
    crypto_stream_chacha20_xor_ic(text, text, bytes, nonce.data(), blocks_, key.data());
    constexpr std::size_t block_bytes = 64;   // ChaCha20's own
    blocks_ += bytes / block_bytes;
}

}  // namespace course
