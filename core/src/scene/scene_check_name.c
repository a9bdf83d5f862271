/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of scene_check that concerns names: they name the object's files, here and wherever a
 * cache is copied to.
 */
#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "scene/scene_check.h"

enum { LONGEST_NAME = 200 };

static tribo_status check_letters(size_t number, const char *name, tribo_error *err) {
  if (!utf8_valid(name))
    return status_fail(err, TRIBO_BAD_INPUT,
                       "object '%s': the name is not UTF-8, it would not read back from bake.json; "
                       "rename it",
                       name);
  for (size_t i = 0; name[i]; i++) {
    unsigned char c = (unsigned char)name[i];
    if (c < 0x20 || c == 0x7f)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "objects[%zu]: the name holds the control character 0x%02x at byte %zu; "
                         "remove it, the name names the object's files",
                         number, c, i);
  }
  size_t at = strcspn(name, "/\\<>:\"|?*");
  if (name[at])
    return status_fail(err, TRIBO_BAD_INPUT,
                       "object '%s': a name must not hold '%c', it names the object's files, and "
                       "not every system takes that; rename it",
                       name, name[at]);
  if (name[0] == '.')
    return status_fail(err, TRIBO_BAD_INPUT,
                       "object '%s': a name must not start with '.', it names the object's files",
                       name);
  char last = name[strlen(name) - 1];
  if (last == '.' || last == ' ')
    return status_fail(err, TRIBO_BAD_INPUT,
                       "object '%s': a name must not end in a %s, which Windows drops from file "
                       "names; rename it",
                       name, last == '.' ? "dot" : "space");
  return TRIBO_OK;
}

/* Windows knows devices by the part of a name before its first dot, spaces at its end left out. */
static bool is_device(const char *name) {
  static const char *const devices[] = {"con", "prn", "aux", "nul", "conin$", "conout$"};
  size_t length = strcspn(name, ".");
  while (length && name[length - 1] == ' ') length--;
  char stem[8] = "";
  if (length >= sizeof stem) return false;
  for (size_t i = 0; i < length; i++) stem[i] = (char)tolower((unsigned char)name[i]);
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
    if (strcmp(stem, devices[i]) == 0) return true;
  if (strncmp(stem, "com", 3) != 0 && strncmp(stem, "lpt", 3) != 0) return false;
  const char *digit = stem + 3; /* the raised 1, 2 and 3 of Latin-1 count as well */
  if (length == 4) return strchr("0123456789", *digit) != NULL;
  return length == 5 && digit[0] == '\xc2' &&
         (digit[1] == '\xb9' || digit[1] == '\xb2' || digit[1] == '\xb3');
}

tribo_status scene_check_name(const tribo_scene *scene, const char *name, tribo_error *err) {
  size_t number = scene->objects.count;
  if (!name || !*name)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "objects[%zu] has no name; give one, it names the object's files", number);
  size_t length = strlen(name);
  if (length > LONGEST_NAME)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "object '%.40s...': the name has %zu bytes; give at most %d, it names the "
                       "object's files",
                       name, length, LONGEST_NAME);
  TRY(check_letters(number, name, err));
  if (is_device(name))
    return status_fail(err, TRIBO_BAD_INPUT,
                       "object '%s': Windows keeps that name for a device, and could not hold the "
                       "object's files; rename it",
                       name);
  for (size_t i = 0; i < number; i++) {
    const char *other = scene->objects.data[i].name;
    if (strcmp(name, other) == 0)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "object '%s': objects[%zu] has that name already; names must differ", name,
                         i);
    if (utf8_alike(name, other))
      return status_fail(err, TRIBO_BAD_INPUT,
                         "object '%s': the name differs from objects[%zu] '%s' only in case, or in "
                         "how accents are put on letters; some systems would write both to one "
                         "file: rename one",
                         name, i, other);
  }
  return TRIBO_OK;
}
