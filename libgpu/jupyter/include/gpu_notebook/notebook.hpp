// SPDX-License-Identifier: MIT
#pragma once

// What each cell of a notebook includes; it is compiled once and shared by all notebooks of a user.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <sstream>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>
#include <gpu/ledger.hpp>
#include <gpu/trace.hpp>

namespace gpu::notebook {

/// Tells the notebook which type a cell's variable has, for the cells that come later.
void note_variable(const char* name, const std::type_info& type);

/// Shows data below the cell. @param mime "text/plain", "text/html", "image/png"
void display(const std::string& mime, const std::string& data);

/// What a cell does wrong in check mode: the report and, of a race, its picture.
void show_findings(const ::gpu::Trace& trace);

/// The texts of the kernels that libgpu has generated for a cell.
void show_sources(const std::string& listing);

/// A cell's variable. It gets its value when the cell runs, and keeps it until the process ends: a destructor that runs
/// then might need a device that has gone.
template <class T>
class Variable {
public:
    /// @param make returns the value, which is made in place
    template <class Make>
    void set(const char* name, Make make) {
        ::new (static_cast<void*>(bytes_)) T(make());
        note_variable(name, typeid(T));
    }
    [[nodiscard]] T& value() noexcept { return *reinterpret_cast<T*>(bytes_); }

private:
    alignas(T) unsigned char bytes_[sizeof(T)];
};

/// The value of a cell's last expression, as text.
template <class T>
void show(T&& value) {
    if constexpr (requires { ::gpu::to_string(value); }) {
        display("text/plain", ::gpu::to_string(value));
    } else if constexpr (requires { value.to_text(); }) {
        display("text/plain", value.to_text());
    } else if constexpr (requires(std::ostream& out) { out << value; }) {
        std::ostringstream text;
        text << std::boolalpha << value;
        display("text/plain", text.str());
    } else {
        display("text/plain", "(a value that can't be printed)");
    }
}

}  // namespace gpu::notebook
