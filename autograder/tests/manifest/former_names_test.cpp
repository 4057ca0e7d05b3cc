// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "manifest/names.hpp"
#include "support/toy_manifest.hpp"

using namespace course;
using test::Folder;

TEST_CASE("a former name belongs to one exercise, and to none of today's") {
    const Folder root;
    const auto write = [&](const std::string& was) {
        test::write_exercise(root, test::replaced(test::good_toml, "minutes", "was = [\"plus\"]\nminutes"));
        for (const char* name : {"raw_add.cpp", "raw_add.cu"})
            root.write(std::string("exercises/09-sum/") + name, "//\n");
        test::write_planted(root, "exercises/09-sum/");
        root.write("exercises/09-sum/exercise.toml",
                   test::replaced(test::good_toml, "minutes", "was = [\"" + was + "\"]\nminutes"));
    };
    write("total");
    CHECK(read_course(root.path()).size() == 2);
    using Names = std::map<std::string, std::string>;
    CHECK(former_names(root.path()) == Names{{"plus", "raw_add"}, {"total", "sum"}});
    const std::string sum = "exercises/09-sum/exercise.toml: \"was\" has ";
    write("plus");
    CHECK_THROWS_WITH_AS(read_course(root.path()),
                         (sum + "plus, which raw_add has as well; expected a name of its own").c_str(), ManifestError);
    write("raw_add");
    CHECK_THROWS_WITH_AS(read_course(root.path()),
                         (sum + "raw_add, which an exercise has now; expected a name of its own").c_str(),
                         ManifestError);
    CHECK(former_names(root.path()) == Names{{"plus", "raw_add"}});
    root.write("exercises/09-sum/exercise.toml", "nonsense");   // hides no other
    CHECK(former_names(root.path()) == Names{{"plus", "raw_add"}});
}
