// SPDX-License-Identifier: MIT
// `course watch`, at a terminal and away from one.
#include <csignal>
#include <fstream>

#include <doctest/doctest.h>

#include "commands/move_progress.hpp"
#include "loop/terminal_session.hpp"
#include "loop/toy_course.hpp"
#include "support/folder.hpp"

using course::FileLook, course::SavedFiles;
using test::Ran, test::TerminalSession, test::ToyCourse;
namespace fs = std::filesystem;

namespace {

constexpr const char* sleeps = "std::this_thread::sleep_for(std::chrono::seconds(60)); return 2 * x;";
constexpr const char* sleep_headers = "#include <chrono>\n#include <thread>\n";

/// As editors save: a new file gets the old one's name.
void save(const ToyCourse& toy, const std::string& name, const std::string& text) {
    toy.write(name + ".new", text);
    fs::rename(toy / (name + ".new"), toy / name);
}

std::string solution(const ToyCourse& toy) { return toy.read("solutions/01-twice/twice.cpp"); }

course::Command watch(const ToyCourse& toy, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"watch"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return toy.command(arguments);
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t times = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++times;
    return times;
}

using Seen = SavedFiles::Seen;
SavedFiles::Time at(int milliseconds) { return SavedFiles::Time() + std::chrono::milliseconds(milliseconds); }

FileLook look(const std::string& content, std::int64_t changed) {
    return {.is_there = true, .changed = changed, .inode = 1, .bytes = 3, .content = content};
}

}  // namespace

TEST_CASE("a change counts as saved once it has rested; a file that is away is given more time") {
    const test::Folder folder;
    SavedFiles files({folder / "a", folder / "b"});
    const FileLook away, a = look("a", 1), b = look("b", 1);
    CHECK(files.take({a, b}, at(0)) == Seen::change);
    CHECK(files.take({a, b}, at(100)) == Seen::change);
    CHECK(files.take({a, b}, at(151)) == Seen::saved);
    CHECK(files.take({a, b}, at(1000)) == Seen::nothing);
    // A write in two pieces, the second just before the first has rested.
    CHECK(files.take({look("a1", 2), b}, at(2000)) == Seen::change);
    CHECK(files.take({look("a2", 3), b}, at(2140)) == Seen::change);
    CHECK(files.take({look("a2", 3), b}, at(2280)) == Seen::change);
    CHECK(files.take({look("a2", 3), b}, at(2291)) == Seen::saved);
    // Renamed away, and the new one comes.
    CHECK(files.take({away, b}, at(3000)) == Seen::change);
    CHECK(files.take({away, b}, at(4000)) == Seen::change);
    CHECK(files.take({look("a3", 4), b}, at(4100)) == Seen::change);
    CHECK(files.take({look("a3", 4), b}, at(4251)) == Seen::saved);
    CHECK(files.changed() == folder / "a");
    // Deleted.
    CHECK(files.take({look("a3", 4), away}, at(5000)) == Seen::change);
    CHECK(files.take({look("a3", 4), away}, at(6501)) == Seen::saved);
    CHECK(files.changed() == folder / "b");
}

TEST_CASE("a file written with what it held before is neither a change nor silence") {
    const test::Folder folder;
    SavedFiles files({folder / "a"});
    CHECK(files.take({look("a", 1)}, at(0)) == Seen::change);
    CHECK(files.take({look("a", 1)}, at(200)) == Seen::saved);
    CHECK(files.take({look("a", 2)}, at(300)) == Seen::change);
    CHECK(files.take({look("a", 2)}, at(500)) == Seen::the_same);
    CHECK(files.take({look("a", 2)}, at(900)) == Seen::nothing);
}

TEST_CASE("a change within one tick of a coarse clock, of the same size, is seen all the same") {
    const test::Folder folder;
    folder.write("a.cu", "one");
    const auto time = fs::last_write_time(folder / "a.cu");
    SavedFiles files({folder / "a.cu"});
    std::fstream(folder / "a.cu", std::ios::in | std::ios::out) << "two";  // in place: the same inode
    fs::last_write_time(folder / "a.cu", time);
    const auto now = std::chrono::steady_clock::now();
    CHECK(files.look(now) == Seen::nothing);  // neither time nor size nor inode tells
    CHECK(files.look(now + std::chrono::milliseconds(2500)) == Seen::change);
    CHECK(files.look(now + std::chrono::milliseconds(2700)) == Seen::saved);
}

TEST_CASE("watching from exercise to exercise: not started, wrong, hint, passed, next, quit") {
    const ToyCourse toy;
    TerminalSession session(watch(toy));
    CHECK(session.await("Watching work/01-twice/twice.cpp"));
    CHECK(session.await("not started"));
    CHECK(session.await("h: hint (0/3 used)   r: run again   l: list   q: quit\n"));
    CHECK_FALSE(session.is_as_usual());  // keys come one by one
    save(toy, "work/01-twice/twice.cpp", test::replaced(solution(toy), "return 2 * x;", "return 3 * x;"));
    CHECK(session.await("work/01-twice/twice.cpp\n"));
    CHECK(session.await("wrong"));
    CHECK(session.await("h: hint (0/3 used)"));
    session.type("n");
    CHECK(session.await("Exercise 1 isn't passed yet. To begin with shift all the same: make watch N=2"));
    session.type("h");
    CHECK(session.await("Hint 1 of 3"));
    session.type("l");
    CHECK(session.await("1  begun    twice"));
    session.type("r");
    CHECK(session.await("h: hint (1/3 used)"));
    CHECK(count(session.screen(), "Watching work/01-twice") == 2);
    save(toy, "work/01-twice/twice.cpp", solution(toy));
    CHECK(session.await("passed"));
    CHECK(session.await("n: next, exercise 2 shift   r: run again   l: list   q: quit\n"));
    CHECK_FALSE(fs::exists(toy / "work/02-shift"));  // it waits to be asked
    save(toy, "work/01-twice/twice.cpp", solution(toy));
    CHECK(session.await("work/01-twice/twice.cpp was saved, and nothing in it has changed"));
    session.type("n");
    CHECK(session.await("Watching work/02-shift/shift.cpp and work/02-shift/shift.cu"));
    CHECK(session.await("not started"));
    CHECK(session.await("q: quit"));
    // Another exercise that was begun: what is saved is judged.
    save(toy, "work/01-twice/twice.cpp", "int nothing;\n");
    CHECK(session.await("Exercise 1 twice"));
    CHECK(session.await("does not compile"));
    CHECK(session.await("q: quit"));
    session.type("q");
    CHECK(session.wait() == 0);
    CHECK(session.is_as_usual());
    CHECK(toy.read("work/.progress").find("twice passed 1 attempts=4 points=3") != std::string::npos);
    CHECK(fs::is_empty(toy.scratch()));
}

TEST_CASE("a save while an answer is judged gives that up, and judges anew") {
    const ToyCourse toy;
    toy.solve("01-twice");
    CHECK(toy.run({"run", "1"}).code == 0);
    toy.answer(sleeps, sleep_headers);
    toy.change("exercises/01-twice/exercise.toml", "call_seconds = 5", "call_seconds = 100");
    TerminalSession session(watch(toy, {"1"}));
    CHECK(session.await("judging exercise 1 ..."));
    save(toy, "work/01-twice/twice.cpp", solution(toy));
    CHECK(session.await("passed"));
    CHECK(session.await("n: next, exercise 2 shift"));
    CHECK(session.screen().find("interrupted") == std::string::npos);
    CHECK(toy.read("work/.progress").find("attempts=2 ") != std::string::npos);  // the one given up is none
    session.type("q");
    CHECK(session.wait() == 0);
    CHECK(fs::is_empty(toy.scratch()));
}

TEST_CASE("the terminal is as it was after Ctrl-C, a signal, a crash and a hang-up, also while an answer is judged") {
    for (const int signal : {0, SIGINT, SIGTERM, SIGSEGV, SIGABRT}) {
        const ToyCourse toy;
        toy.answer(sleeps, sleep_headers);
        TerminalSession session(watch(toy, {"work/01-twice/twice.cpp"}));
        CHECK(session.await("judging exercise 1 ..."));
        CHECK_FALSE(session.is_as_usual());
        if (signal == 0)
            session.type("\x03");
        else
            session.signal(signal);
        const int code = session.wait();
        CHECK(code == 128 + (signal == 0 ? SIGINT : signal));
        CHECK(session.is_as_usual());
        for (int k = 0; k < 1000 && !fs::is_empty(toy.scratch()); ++k) ::usleep(10'000);
        CHECK(fs::is_empty(toy.scratch()));  // the run was ended in order
    }
}

TEST_CASE("Ctrl-Z gives the shell its terminal, and the keys come back") {
    const ToyCourse toy;
    toy.solve("01-twice");
    course::Command command = watch(toy);  // below a shell: a stop that nobody waits for is none
    command.arguments.insert(command.arguments.begin(),
                             {"/bin/bash", "-mc", "\"$@\"; echo the shell again; read line; fg", "bash"});
    TerminalSession session(command);
    CHECK(session.await("n: next"));
    CHECK_FALSE(session.is_as_usual());
    session.type("\x1a");
    CHECK(session.await("the shell again"));
    CHECK(session.is_as_usual());
    session.type("go on\n");
    for (int k = 0; k < 1000 && session.is_as_usual(); ++k) ::usleep(10'000);
    CHECK_FALSE(session.is_as_usual());
    session.type("l");
    CHECK(session.await("passed   twice"));
    session.type("\x04");
    CHECK(session.wait() == 0);
    CHECK(session.is_as_usual());
}

TEST_CASE("away from a terminal there are no keys: verdicts are printed, and a pass prepares what comes next") {
    const ToyCourse toy;
    toy.answer("return 3 * x;");
    course::Command command = watch(toy);
    const std::string output = (toy / "watched.txt").string();
    command.arguments.insert(command.arguments.begin(),
                             {"/bin/sh", "-c", "exec \"$@\" >" + output + " 2>&1 </dev/null", "sh"});
    TerminalSession session(command);  // whose terminal it doesn't use
    const auto soon = [&](const std::string& text) {
        for (int k = 0; k < 6000; ++k, ::usleep(10'000))
            if (toy.read("watched.txt").find(text) != std::string::npos) return true;
        return false;
    };
    CHECK(soon("got 21   want 14"));
    CHECK(session.is_as_usual());
    save(toy, "work/01-twice/twice.cpp", solution(toy));
    CHECK(soon("Next: exercise 2, work/02-shift: edit and save\n"));
    save(toy, "work/02-shift/shift.cu", "nothing\n");
    CHECK(soon("Exercise 2 shift"));
    session.signal(SIGTERM);
    CHECK(session.wait() == 128 + SIGTERM);
    const std::string text = toy.read("watched.txt");
    CHECK(text.find("q: quit") == std::string::npos);
    CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("what can't be watched is said, and a course that is passed needs no watch") {
    const ToyCourse toy;
    toy.check_golden("watch_unknown_number", toy.run({"watch", "7"}));
    toy.check_golden("watch_unknown_file", toy.run({"watch", "work/01-twice/notes.txt"}));
    toy.check_golden("watch_no_answer", toy.run({"watch", "README.md"}));
    for (const char* exercise : {"01-twice", "02-shift"}) toy.solve(exercise);
    for (const char* number : {"1", "2"}) CHECK(toy.run({"run", number}).code == 0);
    toy.check_golden("watch_all_passed", toy.run({"watch"}));
}

TEST_CASE("the first pass at a terminal ends in a picture, where the exercise says so") {
    const ToyCourse toy;
    toy.change("exercises/02-shift/exercise.toml", "minutes = 2", "minutes = 2\npicture = \"map\"");
    toy.solve("02-shift");
    const Ran piped = toy.run({"run", "2"});
    CHECK(piped.code == 0);
    CHECK(piped.text.find("See what each thread did: make show-2\n") != std::string::npos);
    CHECK(piped.text.find("elements written") == std::string::npos);
    TerminalSession session(toy.command({"run", "2"}));
    CHECK(session.await("what it does in shift, case n = "));
    CHECK(session.await("y written: element → thread"));
    CHECK(session.await("make show-2"));
    CHECK(session.wait() == 0);
    CHECK(session.screen().find("bank") == std::string::npos);  // the map alone
    toy.change("work/02-shift/shift.cu", "x[i] + 1", "x[i] + 2");
    TerminalSession wrong(toy.command({"run", "2"}));
    CHECK(wrong.await("make show-2"));
    CHECK(wrong.wait() == 1);
    CHECK(wrong.screen().find("y written") == std::string::npos);
}
