// SPDX-License-Identifier: MIT
#include "collect/collect.hpp"

#include <doctest/doctest.h>

using namespace course;

namespace {

const std::string stub = R"(void a() {
    // ---- your code (1 line) ----
    // TODO
    // ---- end ----
}
void b() {
    // ---- your code, star (about 2 lines) ----
    // TODO: more
    // ---- end ----
}
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    return text.replace(text.find(what), what.size(), by);
}

Manifest with_stars(std::vector<std::string> ids) {
    Manifest manifest;
    manifest.tasks.push_back({.id = "a", .title = "a", .points = 1, .budgets = {}, .speed = {}});
    for (const std::string& id : ids)
        manifest.tasks.push_back({.id = id, .title = id, .star = true, .budgets = {}, .speed = {}});
    return manifest;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("a star is begun as soon as its part isn't the stub's any more, and not before") {
    const Manifest manifest = with_stars({"b"});
    CHECK(stars_not_begun(manifest, {{stub, stub}}) == Ids{"b"});
    CHECK(stars_not_begun(manifest, {{replaced(stub, "// TODO\n", "x = 1;\n"), stub}}) == Ids{"b"});
    CHECK(stars_not_begun(manifest, {{replaced(stub, "    // TODO: more", "\t// TODO:  more"), stub}}) == Ids{"b"});
    CHECK(stars_not_begun(manifest, {{replaced(stub, "// TODO: more", "x = 1;"), stub}}).empty());
    const std::string unmarked = replaced(stub, "// ---- your code, star (about 2 lines) ----\n", "");
    CHECK(stars_not_begun(manifest, {{unmarked, stub}}).empty());
    // A task with points has no star, whatever its mark says; a star without a part of its own is judged.
    CHECK(stars_not_begun(with_stars({}), {{stub, stub}}).empty());
    const std::string plain = replaced(stub, ", star", "");
    CHECK(stars_not_begun(manifest, {{plain, plain}}).empty());
    // Parts in several files: one that is begun is enough.
    CHECK(stars_not_begun(manifest, {{stub, stub}, {replaced(stub, "more", "done"), stub}}).empty());
}

TEST_CASE("of several stars a mark names its task") {
    const std::string two = replaced(stub, "star (", "star b (") +
                            "// ---- your code, star c ----\n// TODO: most\n// ---- end ----\n";
    const Manifest manifest = with_stars({"b", "c"});
    CHECK(stars_not_begun(manifest, {{two, two}}) == Ids{"b", "c"});
    CHECK(stars_not_begun(manifest, {{replaced(two, "most", "done"), two}}) == Ids{"b"});
    CHECK(starred_parts(two, "c") == Ids{"// ---- your code, star c ----\n// TODO: most\n// ---- end ----\n"});
}

TEST_CASE("the text without starred parts keeps all others") {
    CHECK(without_starred_parts(stub) == R"(void a() {
    // ---- your code (1 line) ----
    // TODO
    // ---- end ----
}
void b() {
}
)");
    CHECK(without_starred_parts("a\n// ---- your code, star ----\nno end\n") == "a\n");
}
