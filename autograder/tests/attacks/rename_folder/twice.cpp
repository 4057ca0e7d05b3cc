// SPDX-License-Identifier: MIT
@COMMON@
static void attack() {
    char here[4096];
    if (::getcwd(here, sizeof here) == nullptr) return;
    const std::string own = here, above = own.substr(0, own.rfind('/')), all = above.substr(0, above.rfind('/'));
    for (const std::string& folder : {own, above, all, all + "/usual", all + "/checked", all + "/student"}) {
        escaped_if(::rename(folder.c_str(), (folder + "-moved").c_str()) == 0, "a folder renamed");
        escaped_if(folder != own && ::rmdir(folder.c_str()) == 0, "a folder removed");
    }
    for (const char* runner : {"/usual", "/checked"})
        for (const char* name : {"/run/planted", "/kernels/planted"}) {
            const std::string file = all + runner + name;
            escaped_if(file.rfind(above, 0) != 0 && can_open(file, O_WRONLY | O_CREAT), file);
        }
}
