# Copies a shared library under another name of the same length, inside and out: -DFROM=file -DTO=file
# -DOLD=name -DNEW=name. Two of them in one process are then two libraries to the loader.
get_filename_component(folder ${TO} DIRECTORY)
file(MAKE_DIRECTORY ${folder})
string(LENGTH ${OLD} old)
string(LENGTH ${NEW} new)
if(NOT old EQUAL new)
  message(FATAL_ERROR "${OLD} and ${NEW} are not equally long")
endif()
string(REPLACE "." "\\." pattern ${OLD})
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C sed "s/${pattern}/${NEW}/g" ${FROM}
  OUTPUT_FILE ${TO} RESULT_VARIABLE failed)
execute_process(COMMAND objdump -p ${TO} OUTPUT_VARIABLE about)
if(failed OR NOT about MATCHES "SONAME +${NEW}")
  file(REMOVE ${TO})
  message(FATAL_ERROR "${FROM} could not be renamed to ${NEW}")
endif()
