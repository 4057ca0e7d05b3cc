# SPDX-License-Identifier: MIT
# Few, large translation units: parsing the standard headers is most of what a small source costs, so a room is compiled
# as a few units. A helper that stands in two sources of a room clashes there: it has one home.
# KIT_UNITY=OFF compiles each source by itself, and so shows an include that is missing.
#
#   kit_unity(<target> <bytes> <source>...)
#       Joins these sources of the target, room by room with its folders, into units of about so many bytes. Smaller
#       units make an edit cheap (one unit is compiled again), larger ones a fresh build.
#   kit_precompile(<target> <header>...)
#       Parses these headers, in angle brackets, once for all units of the target.
#   kit_precompile(<target> REUSE_FROM <other target>)
#       Uses the other target's parsed headers: with g++ its definitions must be the target's as well, and both are parts
#       of programs or both of libraries, optimised alike; else a warning says that they weren't used, or g++ fails.

option(KIT_UNITY "Compile the rooms as a few large units, with precompiled standard headers" ON)

function(kit_unity target bytes)
  if(NOT KIT_UNITY)
    return()
  endif()
  set(units 0)
  foreach(source IN LISTS ARGN)
    file(RELATIVE_PATH path "${CMAKE_CURRENT_SOURCE_DIR}" "${source}")
    string(REGEX MATCH "^[^/]+/[^/]+" folder "${path}")
    string(MAKE_C_IDENTIFIER "${folder}" room)                    # a room's files needn't follow one another in the list
    file(SIZE "${source}" size)
    math(EXPR sum "0${filled_${room}} + ${size}")
    if(NOT DEFINED filled_${room} OR sum GREATER bytes)           # a new room, or the unit is full
      math(EXPR units "${units} + 1")
      get_filename_component(name "${folder}" NAME)
      set(unit_${room} ${name}_${units})
      set(sum ${size})
    endif()
    set(filled_${room} ${sum})
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${unit_${room}})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

function(kit_precompile target)
  if(NOT KIT_UNITY OR KIT_CCACHE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()                                 # ccache would have to be told what may differ; clang allows no difference
  endif()
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
