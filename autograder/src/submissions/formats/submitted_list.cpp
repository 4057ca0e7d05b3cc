// SPDX-License-Identifier: MIT
#include "submissions/formats/submitted_list.hpp"

#include <nlohmann/json.hpp>

#include "support/text.hpp"

namespace course {

std::optional<SubmittedList> read_submitted_list(std::string_view text) {
    if (text.size() > submitted_list_bytes) return std::nullopt;
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        if (json.at("schema").get<std::string>() != "course submission" || json.at("version").get<int>() != 1)
            return std::nullopt;
        SubmittedList list;
        list.student_id = plain_text(json.at("student").at("id").get<std::string>(), 400, 1);
        list.student_name = plain_text(json.at("student").at("name").get<std::string>(), 400, 1);
        for (const nlohmann::json& exercise : json.at("exercises"))
            for (const nlohmann::json& file : exercise.at("files"))
                list.files.push_back({.path = file.at("path").get<std::string>(),
                                      .digest = file.at("xxh128").get<std::string>(),
                                      .bytes = file.at("bytes").get<std::uint64_t>()});
        return list;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

}  // namespace course
