// SPDX-License-Identifier: MIT
#pragma once

#include "report/terminal.hpp"
#include "verdict/verdict.hpp"

namespace test {

/// Exercise 8 with two tasks, both passed on the host.
inline course::Result passed() {
    using namespace course;
    Result result;
    result.number = 8;
    result.exercise = "raw_add";
    result.title = "Raw kernels";
    result.environment = {.backend = "host", .device = "CPU", .compiler = "g++ 12.2.0", .kit_version = "0.1.0",
                          .machine = "CPU, 2 threads", .unused_gpu = "no driver"};
    result.seed = 18446744073709551615u;
    result.seconds = 0.5;
    for (const char* id : {"add", "mul"}) {
        TaskResult task;
        task.id = id;
        task.title = id == std::string("add") ? "z = x + y" : "z = x * y";
        task.points = task.max_points = 2;
        for (const std::int64_t n : {0, 257, 1009}) {
            CaseResult one;
            one.name = "n = " + std::to_string(n);
            one.function = id;
            one.elements = n;
            one.worst_error = n == 0 ? 0 : 0.25;
            one.seconds = 0.0012;
            one.counts.launches = 1;
            task.cases.push_back(one);
        }
        task.budgets = {{"launches", "n = 257", 1, 1}, {"copies_to_device", "n = 257", 0, 0}};
        result.tasks.push_back(task);
    }
    SpeedResult speed;
    speed.at_least = 5;
    speed.note = "no GPU. Counted work decides here.";
    result.tasks[0].speed = speed;
    return result;
}

inline course::Screen screen() {
    course::Screen screen;
    screen.files = {"work/08-raw-add/raw_add.cpp", "work/08-raw-add/raw_add.cu"};
    screen.readme = "exercises/08-raw-add/README.md";
    screen.minutes = 25;
    screen.next = "make exercise-12";
    return screen;
}

/// What check mode found in exercise 8's second case.
inline course::FoundMistake mistake(course::FindingKind kind = course::FindingKind::missing_barrier) {
    course::Finding finding;
    finding.kind = kind;
    finding.rule =
        kind == course::FindingKind::missing_barrier ? gpu::Rule::many_threads : gpu::Rule::host_only_queues;
    finding.kernel = "add";
    finding.file = "raw_add.cu";
    finding.line = 12;
    finding.variable = "part";
    finding.what = "race on part[32]: raw_add.cu:12 reads what raw_add.cu:11 writes, with no barrier between";
    finding.who = "block (0,0,0): thread (0,0,0) reads, thread (32,0,0) writes";
    finding.advice = "put __syncthreads() between the two lines, where all threads of the block pass it";
    return {"n = 257", finding};
}

/// One kernel that read two floats and wrote one for each of 1009 elements, line by line.
inline course::CheckResult checked() {
    course::CheckResult check;
    check.cases = 9;
    check.largest = check.work_case = "n = 1009";
    check.work_elements = 1009;
    course::WorkCounts reads, writes;
    reads.global_reads = 2018;
    reads.global_bytes_read = reads.global_bytes_used = 8072;
    reads.global_requests = 64;
    reads.global_sectors = 254;
    reads.global_segments = 64;
    writes.global_writes = 1009;
    writes.global_bytes_written = writes.global_bytes_used = 4036;
    writes.global_requests = 32;
    writes.global_sectors = 127;
    writes.global_segments = 32;
    course::WorkCounts work = reads;
    work += writes;
    course::KernelCounts kernel{.name = "add", .file = "raw_add.cu", .launches = 1, .blocks = 4, .threads = 1024,
                              .shapes = {{{4, 1, 1}, {256, 1, 1}, 1}}, .work = work,
                              .lines = {{"raw_add.cu", 5, reads}, {"raw_add.cu", 6, writes}}};
    check.kernels = {kernel};
    return check;
}

/// The same with the first task wrong in its second case.
inline course::Result wrong() {
    using namespace course;
    Result result = passed();
    result.verdict = Verdict::wrong;
    TaskResult& task = result.tasks[0];
    task.verdict = Verdict::wrong;
    task.points = 0;
    task.cases[1].verdict = Verdict::wrong;
    Difference difference;
    difference.where = "result[256]";
    difference.got = "NaN (never written)";
    difference.want = "3.5";
    difference.wrong = 1;
    difference.total = 257;
    difference.pattern = "never written, all in the last block of 256";
    difference.window = {.got = {"3.25", "-0.5", "NaN"}, .want = {"3.25", "-0.5", "3.5"}, .first_wrong = 2,
                         .more_before = true, .more_after = false};
    task.cases[1].difference = difference;
    return result;
}

}  // namespace test
