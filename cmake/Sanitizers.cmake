# SPDX-License-Identifier: MIT
# KIT_SANITIZE reaches every target of the kit. KIT_SANITIZE_FLAGS holds the same flags as a list, for code that is
# compiled later by the kit itself (plug-ins, students' files) and has to match.

set(KIT_SANITIZE_FLAGS "")
if(KIT_SANITIZE)
  if(NOT KIT_SANITIZE MATCHES "^(address|undefined|thread|address,undefined)$")
    message(FATAL_ERROR "KIT_SANITIZE is \"${KIT_SANITIZE}\"; it can be address,undefined or thread")
  endif()
  set(KIT_SANITIZE_FLAGS -fsanitize=${KIT_SANITIZE} -fno-omit-frame-pointer)
  if(KIT_SANITIZE MATCHES "undefined")
    list(APPEND KIT_SANITIZE_FLAGS -fno-sanitize-recover=undefined)        # a finding fails its test
  endif()
  add_compile_options(${KIT_SANITIZE_FLAGS})
  add_link_options(${KIT_SANITIZE_FLAGS})
endif()
