#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the kit depends on, and under which licences, as an SPDX 2.3 document: of `setup`'s list and dependencies.toml.

    spdx.py --commit HASH --time SECONDS [--archive FILE] > FILE     writes the document
    spdx.py --check [--build FOLDER]     looks whether the list and the table agree, and whether the programs in FOLDER
                                         are linked as the table says
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tomllib
from datetime import datetime, timezone
from pathlib import Path

# How a package relates to the kit, in SPDX's words; "kit" or "package" is what the sentence begins with.
OF_USE = {
    "static": ("kit", "STATIC_LINK"),
    "dynamic": ("kit", "DYNAMIC_LINK"),
    "headers": ("package", "BUILD_DEPENDENCY_OF"),
    "opened": ("package", "OPTIONAL_DEPENDENCY_OF"),
    "pages": ("package", "RUNTIME_DEPENDENCY_OF"),
    "tool": ("package", "BUILD_TOOL_OF"),
}
OF_GROUP = {"tests": "TEST_DEPENDENCY_OF", "docs": "DEV_TOOL_OF", "dev": "DEV_TOOL_OF"}   # others are optional
OPERATORS = {"AND", "OR", "WITH"}


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def groups_of_setup(root):
    """{package: group}, of all that setup can install."""
    lines = output_of("bash", root / "setup", "--groups").splitlines()
    return {package: group for group, package in (line.split() for line in lines)}


def faults_of(groups, table):
    """What must be mended in dependencies.toml, a line each."""
    packages, known = table["packages"], table["known_licences"]
    for package in groups:
        if package not in packages:
            yield f"no licence for {package}, which setup installs: see /usr/share/doc/{package}/copyright"
    used = set()
    for package, entry in {**packages, **table["elsewhere"]}.items():
        if package in packages and package not in groups:
            yield f"{package}: setup doesn't install it; remove it here"
            continue
        building = groups.get(package, "build") == "build"
        if building and entry.get("use") not in OF_USE:
            yield f"{package}: use is {entry.get('use')!r}; it can be {', '.join(OF_USE)}"
        if not building and "use" in entry:
            yield f"{package}: only what building needs has a use"
        words = set(re.findall(r"[^\s()]+", entry["licence"])) - OPERATORS
        used |= words
        for word in sorted(words - set(known)):
            yield f"{package}: {word} is not among known_licences: add it if it is on SPDX's list (spdx.org/licenses)"
        if any(word.startswith("LicenseRef-") for word in words) and not entry.get("text"):
            yield f"{package}: a licence that isn't on SPDX's list needs its text, or where that is"
    for licence in known:
        if licence not in used:
            yield f"known_licences: nothing has {licence}"


def links_are_of_this_system():
    """The table is of Debian 12's packages; another system's may have no archive to link, or nothing but one."""
    try:
        return 'VERSION_ID="12"' in Path("/etc/os-release").read_text(encoding="utf-8")
    except OSError:
        return False


def links_faults(build, table):
    """Where the built programs are linked otherwise than the table says."""
    built = [path for path in (*build.glob("bin/course*"), *build.glob("lib/libgpu*.so")) if path.is_file()]
    needed = set()
    for path in built:
        needed |= set(re.findall(r"NEEDED.*\[(.*)\]", output_of("readelf", "-d", path)))
    if not any(name.startswith("libc.so") for name in needed):
        yield f"{build}: no programs of the kit there"
        return
    for package, entry in table["packages"].items():
        stem = "libz" if package == "zlib1g-dev" else package.removesuffix("-dev").replace("-", "_")
        linked = any(re.match(re.escape(stem) + r"[\d.]*\.so", name) for name in needed)
        if entry.get("use") in ("static", "headers") and linked:
            yield f"{package}: the kit's programs load {stem}, so its use is \"dynamic\" here"
        if entry.get("use") == "dynamic" and not linked:
            yield f"{package}: none of the kit's programs loads {stem}, so its use isn't \"dynamic\" here"


def spdx_id(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", name.replace("+", "p"))


def package_entry(name, licence, **more):
    return {"SPDXID": spdx_id(name), "name": name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more}


def document(root, table, groups, options):
    version = output_of(root / "release" / "version").strip()
    archive = {"licenseConcluded": "MIT AND CC-BY-4.0", "versionInfo": version, "primaryPackagePurpose": "SOURCE",
               "licenseComments": "Code is under MIT, the text of the lessons under CC BY 4.0."}
    if options.archive:
        archive["packageFileName"] = options.archive.name
        archive["checksums"] = [{"algorithm": "SHA256",
                                 "checksumValue": hashlib.sha256(options.archive.read_bytes()).hexdigest()}]
    kit = package_entry("gpu-course", "MIT AND CC-BY-4.0", **archive)
    packages, relations, texts = [kit], [("SPDXRef-DOCUMENT", "DESCRIBES", kit["SPDXID"])], []
    for name, entry in {**table["packages"], **table["elsewhere"]}.items():
        more = {"licenseComments": entry["note"]} if "note" in entry else {}
        if name in groups:
            more["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                     "referenceLocator": f"pkg:deb/debian/{name.replace('+', '%2B')}"}]
        package = package_entry(name, entry["licence"], **more)
        packages.append(package)
        first, relation = OF_USE[entry["use"]] if "use" in entry else \
            ("package", OF_GROUP.get(groups[name], "OPTIONAL_DEPENDENCY_OF"))
        ends = (kit["SPDXID"], package["SPDXID"])
        relations.append((ends[0], relation, ends[1]) if first == "kit" else (ends[1], relation, ends[0]))
        if "text" in entry:
            texts.append({"licenseId": entry["licence"], "name": name, "extractedText": entry["text"]})
    created = datetime.fromtimestamp(options.time, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"gpu-course-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/gpu-course-{version}-{options.commit}",
        "creationInfo": {"created": created, "creators": [f"Tool: gpu-course-spdx-{version}"]},
        "packages": packages,
        "relationships": [{"spdxElementId": first, "relationshipType": relation, "relatedSpdxElement": second}
                          for first, relation, second in relations],
        "hasExtractedLicensingInfos": texts,
    }


def main():
    parser = argparse.ArgumentParser(description="The kit's dependencies and licences, as an SPDX 2.3 document.")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[1], help="the kit")
    parser.add_argument("--check", action="store_true", help="compare setup's list with the table; write nothing")
    parser.add_argument("--build", type=Path, help="with --check: a build of all of the kit")
    parser.add_argument("--commit", help="what the document is of")
    parser.add_argument("--time", type=int, help="the commit's time, in seconds since 1970")
    parser.add_argument("--archive", type=Path, help="the archive of that commit")
    options = parser.parse_args()
    table = tomllib.loads((options.root / "release" / "dependencies.toml").read_text(encoding="utf-8"))
    groups = groups_of_setup(options.root)
    faults = list(faults_of(groups, table))
    if options.build and links_are_of_this_system():
        faults += links_faults(options.build, table)
    if faults:
        print(*(f"release/dependencies.toml: {fault}" for fault in faults), sep="\n", file=sys.stderr)
        return 1
    if options.build and not links_are_of_this_system():
        print("SKIP: how programs are linked is known of Debian 12")
        return 77
    if options.check:
        print(f"{len(groups)} packages of setup have a licence")
        return 0
    if options.commit is None or options.time is None:
        parser.error("--commit and --time are needed: a document that is made twice must be the same")
    json.dump(document(options.root, table, groups, options), sys.stdout, indent=1)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
