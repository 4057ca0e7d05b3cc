// SPDX-License-Identifier: MIT
#include "fuzz/course_fixture.hpp"
#include "manifest/lesson.hpp"

namespace fuzz {

FUZZ_TARGET(capstone_manifest, std::size_t{1} << 16) {
    static const CourseFixture course;
    write(course.capstone / "capstone.toml", input);
    try {
        const course::Capstone capstone = course::read_capstone(course.capstone);
        require(capstone.gpu_elements >= 1 && capstone.host_elements >= 1, "nothing is timed");
        require(capstone.min_bytes >= 0 && capstone.manifest.minutes >= 1, "a number is too small");
        require(capstone.manifest.tasks.size() == 1 && !capstone.manifest.functions.empty(), "a list is too short");
    } catch (const course::ManifestError& error) {
        require(std::string_view(error.what()).starts_with("capstone/image-pipeline/capstone.toml"),
                "an error doesn't name its file");
        require_plain(error.what(), "an error");
    }
}

}  // namespace fuzz
