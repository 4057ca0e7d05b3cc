# SPDX-License-Identifier: MIT
# Files whose text is part of a program: CUDA code that libgpu compiles at run time, scripts and styles of pages.
#
#   kit_embed(<target> <name> <namespace> <file or pattern>...)
#       Gives the target <embedded/<name>.hpp>: in this namespace, for each file a constant with the file's name
#       (half.cuh: half) and its text, but for the lines of comment at its beginning, which say what the file is.

if(CMAKE_SCRIPT_MODE_FILE)                    # cmake -P Embed.cmake <header> <namespace> <file>...: what the build runs
  set(code "// Made by cmake/Embed.cmake.\n#pragma once\n\nnamespace ${CMAKE_ARGV4} {\n")
  math(EXPR last "${CMAKE_ARGC} - 1")
  foreach(k RANGE 5 ${last})
    get_filename_component(name "${CMAKE_ARGV${k}}" NAME_WE)
    file(READ "${CMAKE_ARGV${k}}" text)
    string(REGEX REPLACE "^((//|/\\*)[^\n]*\n)+" "" text "${text}")
    string(APPEND code "inline constexpr char ${name}[] = R\"kit_embed(${text})kit_embed\";\n")
  endforeach()
  file(WRITE "${CMAKE_ARGV3}" "${code}}  // namespace ${CMAKE_ARGV4}\n")
  return()
endif()

set(kit_embed_script "${CMAKE_CURRENT_LIST_FILE}")
function(kit_embed target name namespace)
  file(GLOB files CONFIGURE_DEPENDS ${ARGN})
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/include")
  add_custom_command(OUTPUT "${folder}/embedded/${name}.hpp"
    COMMAND ${CMAKE_COMMAND} -P "${kit_embed_script}" "${folder}/embedded/${name}.hpp" ${namespace} ${files}
    DEPENDS ${files} "${kit_embed_script}" COMMENT "Embedding ${name}" VERBATIM)
  target_sources(${target} PRIVATE "${folder}/embedded/${name}.hpp")
  target_include_directories(${target} PRIVATE "${folder}")
endfunction()
