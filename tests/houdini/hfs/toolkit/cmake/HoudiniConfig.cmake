# Stands in for Houdini's own, with the names that its documentation has.
add_library(Houdini INTERFACE)
target_include_directories(Houdini INTERFACE ${CMAKE_CURRENT_LIST_DIR}/../../../hdk)
target_compile_features(Houdini INTERFACE cxx_std_17)
set(Houdini_VERSION 21.0.559)

function(houdini_configure_target target)
  cmake_parse_arguments(PARSE_ARGV 1 wanted "" "INSTDIR;LIB_PREFIX" "")
  set_target_properties(${target} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY "${wanted_INSTDIR}")
endfunction()
