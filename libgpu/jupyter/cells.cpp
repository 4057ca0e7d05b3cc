// SPDX-License-Identifier: MIT
// gpu-cells: the process in which a notebook's cells run. It reads commands from descriptor 0, a line each ("run 3
// /tmp/cell_3.so"), and answers on descriptor 3 ("variable x float", "display MIME SIZE" and the data, "error MESSAGE",
// "done 3"). What a cell prints goes to descriptors 1 and 2.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <string>

#include <cxxabi.h>
#include <dlfcn.h>
#include <unistd.h>

#include "gpu_notebook/notebook.hpp"

namespace gpu::notebook {

namespace {

constexpr int replies = 3;

void reply(const std::string& bytes) {
    for (std::size_t sent = 0; sent < bytes.size();) {
        const ssize_t count = ::write(replies, bytes.data() + sent, bytes.size() - sent);
        if (count <= 0) std::_Exit(1);  // the notebook has gone
        sent += static_cast<std::size_t>(count);
    }
}

void reply_with(const std::string& head, const std::string& data) {
    reply(head + " " + std::to_string(data.size()) + "\n" + data + "\n");
}

void run_cell(const std::string& number, const std::string& object) {
    void* const cell = ::dlopen(object.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (cell == nullptr) return reply_with("error", ::dlerror());
    const auto run = reinterpret_cast<void (*)()>(::dlsym(cell, ("gpu_notebook_cell_" + number).c_str()));
    if (run == nullptr) return reply_with("error", "the cell has no code to run");
    try {
        run();
        ::gpu::synchronize();
    } catch (const std::exception& error) {
        reply_with("error", error.what());
    } catch (...) {
        reply_with("error", "something was thrown that isn't a std::exception");
    }
}

}  // namespace

void note_variable(const char* name, const std::type_info& type) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
    reply_with(std::string("variable ") + name, text ? text.get() : type.name());
}

void display(const std::string& mime, const std::string& data) {
    std::cout.flush();
    std::fflush(stdout);
    reply_with("display " + mime, data);
}

void show_findings(const ::gpu::Trace& trace) {
    if (trace.report.clean()) return display("text/plain", "check mode found no mistake");
    display("text/plain", trace.report.to_text());
    for (std::size_t launch = 0; launch < trace.launches.size(); ++launch)
        for (const ::gpu::TracedFinding& finding : trace.launches[launch].findings)
            if (finding.first.access != -1 && finding.second.access != -1)
                return display("image/svg+xml",
                               trace.svg(::gpu::Picture::races, {.launch = launch, .block = finding.first.block}));
}

void show_sources(const std::string& listing) {
    display("text/plain", listing.empty() ? "libgpu has generated no kernel for this cell" : listing);
}

}  // namespace gpu::notebook

int main() {
    std::string command, number, object;
    while (std::cin >> command >> number && std::getline(std::cin >> std::ws, object)) {
        gpu::notebook::run_cell(number, object);
        std::cout.flush();
        std::fflush(nullptr);
        gpu::notebook::reply("done " + number + "\n");
    }
    std::_Exit(0);  // no destructor of a cell's variable runs
}
