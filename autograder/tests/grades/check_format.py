#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: check_format.py FORMAT FILE...

Holds a file against a published format: JSON against a schema, tables and XML against the rules of what reads them.
Prints what isn't as it should be, a line each; exit status 1 if there is any, 0 if there is none.
"""
import csv
import io
import json
import re
import sys
import xml.etree.ElementTree
from pathlib import Path

import jsonschema

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
TEXT_FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
POINTS = {"type": "number", "minimum": 0}

# gradescope-autograders.readthedocs.io, "Output format".
GRADESCOPE = {
    "type": "object", "additionalProperties": False,
    "anyOf": [{"required": ["score"]}, {"required": ["tests"]}],
    "properties": {
        "score": POINTS, "execution_time": {"type": "integer"}, "output": {"type": "string"},
        "output_format": TEXT_FORMAT, "test_output_format": TEXT_FORMAT, "test_name_format": TEXT_FORMAT,
        "visibility": VISIBILITY, "stdout_visibility": VISIBILITY, "extra_data": {"type": "object"},
        "tests": {"type": "array", "items": {
            "type": "object", "additionalProperties": False,
            "properties": {
                "score": POINTS, "max_score": POINTS, "status": {"enum": ["passed", "failed"]},
                "name": {"type": "string"}, "name_format": TEXT_FORMAT, "number": {"type": "string"},
                "output": {"type": "string"}, "output_format": TEXT_FORMAT,
                "tags": {"type": "array", "items": {"type": "string"}}, "visibility": VISIBILITY,
                "extra_data": {"type": "object"}}}},
        "leaderboard": {"type": "array", "items": {
            "type": "object", "additionalProperties": False, "required": ["name", "value"],
            "properties": {"name": {"type": "string"}, "value": {"type": ["number", "string"]},
                           "order": {"enum": ["asc", "desc"]}}}}}}

# PrairieLearn's guide on external grading: score from 0 to 1, or gradable false and no score.
PRAIRIELEARN = {
    "type": "object", "required": ["gradable"],
    "if": {"properties": {"gradable": {"const": True}}}, "then": {"required": ["score"]},
    "properties": {
        "gradable": {"type": "boolean"}, "score": {"type": "number", "minimum": 0, "maximum": 1},
        "message": {"type": "string"}, "output": {"type": "string"},
        "format_errors": {"type": ["array", "string"]}, "images": {"type": "array"},
        "tests": {"type": "array", "items": {
            "type": "object", "additionalProperties": False, "required": ["name"],
            "properties": {"name": {"type": "string"}, "description": {"type": "string"}, "points": POINTS,
                           "max_points": POINTS, "message": {"type": "string"}, "output": {"type": "string"}}}}},
    "additionalProperties": False}

# What autograding-grading-reporter reads of a runner's results, and what its own runners write.
GITHUB = {
    "type": "object", "additionalProperties": False, "required": ["version", "status", "max_score", "tests"],
    "properties": {
        "version": {"enum": [1, 2, 3]}, "status": {"enum": ["pass", "fail", "error"]}, "max_score": POINTS,
        "tests": {"type": "array", "minItems": 1, "items": {
            "type": "object", "additionalProperties": False, "required": ["name", "status", "score", "message"],
            "properties": {"name": {"type": "string", "minLength": 1}, "status": {"enum": ["pass", "fail", "error"]},
                           "score": POINTS, "message": {"type": "string"}, "test_code": {"type": "string"},
                           "filename": {"type": "string"}, "line_no": {"type": "integer"},
                           "duration": {"type": "number"}}}}}}


def own_schema(name):
    read = {path.name: json.loads(path.read_text()) for path in SCHEMAS.glob("*.json")}
    schema = read[name]
    jsonschema.Draft202012Validator.check_schema(schema)
    store = {one["$id"]: one for one in read.values()}
    resolver = jsonschema.RefResolver(base_uri=schema["$id"], referrer=schema, store=store)
    return jsonschema.Draft202012Validator(schema, resolver=resolver)


def against(validator, text):
    errors = validator.iter_errors(json.loads(text))
    return [f"{error.json_path}: {error.message[:200]}" for error in errors]


def schema_of(schema):
    return lambda text: against(jsonschema.Draft202012Validator(schema), text)


def gradescope(text):
    said = schema_of(GRADESCOPE)(text)
    said += [f"{test['name']}: more than its maximum" for test in json.loads(text).get("tests", [])
             if test.get("score", 0) > test.get("max_score", 0)]
    return said


def prairielearn(text):
    return schema_of(PRAIRIELEARN)(text) + (["more than 1 MB"] if len(text.encode()) > 1_000_000 else [])


def github(text):
    result = json.loads(text)
    total = sum(test["score"] for test in result["tests"])
    said = schema_of(GITHUB)(text)
    if total > result["max_score"] + 1e-6:
        said.append(f"the reporter would show {total}/{result['max_score']} points")
    return said


def rows_of(text):
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def formulas(rows):
    return [f"a spreadsheet takes {cell!r} for a formula" for row in rows for cell in row
            if cell[:1] in ("=", "+", "-", "@", "\t", "\r", "\n")]


def same_width(rows):
    return [f"row {k + 1} has {len(row)} cells" for k, row in enumerate(rows) if len(row) != len(rows[0])]


def grades_in(rows, columns, most):
    """Blank is no grade; else a number with a point, from 0 to the column's maximum."""
    said = []
    for row in rows:
        for k in columns:
            if row[k] and not (re.fullmatch(r"\d+(\.\d+)?", row[k]) and float(row[k]) <= most.get(k, float("inf"))):
                said.append(f"{row[k]!r} is no grade up to {most.get(k)}")
    return said


def moodle_gradebook(text):
    # grade/import/csv: a header row; a user by one of its keys, unknown or repeated ones stop the import.
    head, *rows = rows_of(text)
    said = same_width([head] + rows) + formulas([head] + rows)
    if head[:2] != ["ID number", "Email address"] or not head[-1].endswith(" feedback"):
        said.append(f"the header is {head}")
    if len({row[0] for row in rows}) != len(rows) or not all(row[0] for row in rows):
        said.append("an ID is missing, or there twice")
    said += grades_in(rows, range(2, len(head) - 1), {})
    said += ["feedback is HTML in Moodle: < isn't escaped" for row in rows if re.search(r"<(?!br>)", row[-1])]
    return said


def moodle_worksheet(text):
    # mod/assign/feedback/offline/importgradeslib.php: three columns by name; "Participant N".
    head, *rows = rows_of(text.removeprefix("\ufeff"))
    said = same_width([head] + rows)
    for name in ("Identifier", "Grade", "Last modified (grade)"):
        if name not in head:
            return said + [f"there is no column {name}"]
    grade = head.index("Grade")
    most = head.index("Maximum grade") if "Maximum grade" in head else None
    for row in rows:
        if not re.fullmatch(r"Participant \d+", row[head.index("Identifier")]):
            said.append(f"{row[0]!r} is no identifier")
        limit = {grade: float(row[most].replace(",", "."))} if most is not None and row[most] else {}
        said += grades_in([row], [grade], limit)
    return said


def canvas(text):
    # lib/gradebook_importer.rb: header?, update_column_count, check_for_non_student_row, process_pp, process_student.
    head, *rows = rows_of(text)
    said = same_width([head] + rows) + formulas([head] + rows)
    if not (len(head) > 3 and "Student" in head[0] and "ID" in head[1]):
        said.append("no header row: Student, ID")
    if not (re.search(r"SIS\s+User\s+ID", head[2]) and re.search(r"SIS\s+Login\s+ID", head[3]) and "Section" in head[4]):
        said.append("SIS User ID, SIS Login ID, Section aren't where Canvas looks for them")
    fixed = re.compile("Current Score|Current Points|Current Grade|Final Score|Final Points|Final Grade|Override Score|"
                       "Override Grade|Override Status")
    said += [f"Canvas passes over a column named {name!r}" for name in head[5:] if fixed.search(name)]
    said += [f"Canvas takes the end of {name!r} for an ID" for name in head[5:] if re.search(r"\(\d+\)$", name)]
    if "Points Possible" not in rows[0][0]:
        return said + ["no row of Points Possible"]
    most = {k: float(rows[0][k]) for k in range(5, len(head))}
    said += ["a student without a name and an ID" for row in rows[1:] if not (row[0] or row[2])]
    said += ["a student's row looks like Points Possible" for row in rows[1:] if "Points Possible" in row[0]]
    return said + grades_in(rows[1:], range(5, len(head)), most)


def nbgrader(text):
    # nbgrader/plugins/export.py: CsvExportPlugin.
    head, *rows = rows_of(text)
    said = same_width([head] + rows) + formulas([head] + rows)
    keys = ("assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,late_submission_penalty,"
            "score,max_score").split(",")
    if head != keys:
        return said + [f"the header is {head}"]
    for row in rows:
        one = dict(zip(head, row))
        said += [f"{one[key]!r} is no time" for key in ("duedate", "timestamp")
                 if one[key] and not re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", one[key])]
        if one["score"]:
            raw, penalty, score = (float(one[key]) for key in ("raw_score", "late_submission_penalty", "score"))
            if abs(max(0, raw - penalty) - score) > 0.011 or score > float(one["max_score"]):
                said.append(f"{raw} - {penalty} isn't {score}")
    return said


def junit(text):
    # junit-10.xsd, the part that readers share.
    attributes = {"testsuites": {"name", "time", "tests", "failures", "errors"},
                  "testsuite": {"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname", "id"},
                  "testcase": {"name", "classname", "time"}, "properties": set(), "property": {"name", "value"},
                  "failure": {"message", "type"}, "error": {"message", "type"}, "skipped": {"message"}}
    children = {"testsuites": {"testsuite"}, "testsuite": {"properties", "testcase"}, "properties": {"property"},
                "testcase": {"failure", "error", "skipped"}}
    root = xml.etree.ElementTree.fromstring(text)
    said = [] if root.tag == "testsuites" else [f"the root is {root.tag}"]
    for element in root.iter():
        if not set(element.attrib) <= attributes.get(element.tag, set()):
            said.append(f"{element.tag} has {sorted(element.attrib)}")
        for child in element:
            if child.tag not in children.get(element.tag, set()):
                said.append(f"{child.tag} in {element.tag}")
    for suite in root:
        for what, tag in (("tests", "testcase"), ("failures", "testcase/failure"), ("errors", "testcase/error"),
                          ("skipped", "testcase/skipped")):
            if int(suite.get(what)) != len(suite.findall(tag)):
                said.append(f"{suite.get('name')}: {what} is {suite.get(what)}")
    for what in ("tests", "failures", "errors"):
        if int(root.get(what)) != sum(int(suite.get(what)) for suite in root):
            said.append(f"{what} of all is {root.get(what)}")
    return said


FORMATS = {
    "result": lambda text: against(own_schema("result.schema.json"), text),
    "class-result": lambda text: against(own_schema("class-result.schema.json"), text),
    "gradescope": gradescope, "prairielearn": prairielearn, "github": github, "moodle-gradebook": moodle_gradebook,
    "moodle-worksheet": moodle_worksheet, "canvas": canvas, "nbgrader": nbgrader, "junit": junit}

if __name__ == "__main__":
    status = 0
    for name in sys.argv[2:]:
        for line in FORMATS[sys.argv[1]](Path(name).read_bytes().decode()):
            print(f"{Path(name).name}: {line}")
            status = 1
    sys.exit(status)
