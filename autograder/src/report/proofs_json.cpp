// SPDX-License-Identifier: MIT
#include "report/proofs_json.hpp"

#include <nlohmann/json.hpp>

namespace course {

std::string proofs_json(const std::string& exercise, const std::vector<Proof>& proofs) {
    nlohmann::json list = nlohmann::json::array();
    for (const Proof& proof : proofs)
        list.push_back({{"text", proof.text}, {"failures", proof.failures}, {"notes", proof.notes}});
    const nlohmann::json line = {{"exercise", exercise}, {"proofs", list}};
    return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::optional<std::vector<Proof>> parse_proofs_json(std::string_view line) {
    try {
        const nlohmann::json document = nlohmann::json::parse(line);
        std::vector<Proof> proofs;
        for (const nlohmann::json& one : document.at("proofs"))
            proofs.push_back({one.at("text").get<std::string>(), one.at("failures").get<std::vector<std::string>>(),
                              one.at("notes").get<std::vector<std::string>>()});
        return proofs;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

}  // namespace course
