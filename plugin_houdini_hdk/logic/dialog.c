/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dialog: Houdini's dialog script, made from the rows of parms.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parms.h"

typedef struct sink {
  char *text;
  size_t length, room;
  bool failed;
} sink;

static void put(sink *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(sink *out, const char *format, ...) {
  char line[2048];
  va_list values;
  va_start(values, format);
  int n = vsnprintf(line, sizeof line, format, values);
  va_end(values);
  if (n < 0 || (size_t)n >= sizeof line) {
    out->failed = true;
    return;
  }
  if (out->length + (size_t)n + 1 > out->room) {
    size_t room = 2 * (out->room + sizeof line);
    char *grown = realloc(out->text, room);
    if (!grown) {
      out->failed = true;
      return;
    }
    out->text = grown;
    out->room = room;
  }
  memcpy(out->text + out->length, line, (size_t)n + 1);
  out->length += (size_t)n;
}

/* A quoted string; quotes and backslashes of its own are escaped. */
static void put_quoted(sink *out, const char *text) {
  put(out, "\"");
  for (; *text; text++) put(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
  put(out, "\"");
}

static const char *const TYPES[] = {
    [HOU_PARM_BUTTON] = "button", [HOU_PARM_TOGGLE] = "toggle", [HOU_PARM_INT] = "integer",
    [HOU_PARM_REAL] = "float",    [HOU_PARM_VEC3] = "vector",   [HOU_PARM_MENU] = "ordinal",
    [HOU_PARM_TEXT] = "string",   [HOU_PARM_FILE] = "file"};

static void put_default(sink *out, const hou_parm *p) {
  put(out, "        default { ");
  if (p->type == HOU_PARM_TEXT || p->type == HOU_PARM_FILE) {
    put_quoted(out, p->text ? p->text : "");
    put(out, " ");
  } else {
    for (int k = 0; k < (p->type == HOU_PARM_VEC3 ? 3 : 1); k++)
      put(out, "\"%.15g\" ", p->value[k]);
  }
  put(out, "}\n");
}

static void put_menu(sink *out, size_t row) {
  char choice[64];
  put(out, "        menu {\n");
  for (size_t i = 0; hou_parm_choice(row, i, choice, sizeof choice); i++) {
    char label[64];
    snprintf(label, sizeof label, "%s", choice);
    if (label[0] >= 'a' && label[0] <= 'z') label[0] = (char)(label[0] - 'a' + 'A');
    for (char *c = label; *c; c++)
      if (*c == '_') *c = ' ';
    put(out, "            \"%s\" \"%s\"\n", choice, label);
  }
  put(out, "        }\n");
}

static void put_parm(sink *out, size_t row, const hou_parm *p, const hou_dialog_style *style) {
  put(out, "    parm {\n        name \"%s\"\n        label ", p->name);
  put_quoted(out, p->label);
  put(out, "\n        type %s\n", TYPES[p->type]);
  if (p->type == HOU_PARM_VEC3) put(out, "        size 3\n");
  put_default(out, p);
  if (p->help) {
    put(out, "        help ");
    put_quoted(out, p->help);
    put(out, "\n");
  }
  if (p->type == HOU_PARM_MENU) put_menu(out, row);
  if (p->low < p->high && (p->type == HOU_PARM_INT || p->type == HOU_PARM_REAL))
    put(out, p->strict ? "        range { %.15g! %.15g! }\n" : "        range { %.15g %.15g }\n",
        p->low, p->high);
  if (p->greyed[0]) put(out, "        disablewhen \"%s\"\n", p->greyed);
  if (p->type == HOU_PARM_BUTTON && style->callback) {
    put(out, "        parmtag { \"script_callback\" \"");
    put(out, "%s('%s', kwargs)", style->callback, p->name);
    put(out, "\" }\n        parmtag { \"script_callback_language\" \"python\" }\n");
  }
  put(out, "    }\n");
}

static void put_tab(sink *out, const char *tab, size_t number, const hou_dialog_style *style) {
  hou_parm p;
  if (tab[0]) {
    put(out, "    group {\n    name \"tab%zu\"\n    label ", number);
    put_quoted(out, tab);
    put(out, "\n");
  }
  for (size_t row = 0; hou_parm_at(row, &p); row++)
    if (strcmp(p.tab, tab) == 0 && !(p.absent & style->node)) put_parm(out, row, &p, style);
  if (tab[0]) put(out, "    }\n");
}

char *hou_dialog(const hou_dialog_style *style) {
  sink out = {0};
  hou_parm p, before;
  put(&out, "{\n%s", style->head);
  put_tab(&out, "", 0, style); /* what stands above the tabs */
  size_t tabs = 0;
  for (size_t row = 0; hou_parm_at(row, &p); row++) {
    bool seen = !p.tab[0];
    for (size_t other = 0; other < row && !seen; other++)
      seen = hou_parm_at(other, &before) && strcmp(before.tab, p.tab) == 0;
    if (!seen) put_tab(&out, p.tab, tabs++, style);
  }
  put(&out, "}\n");
  if (!out.failed) return out.text;
  free(out.text);
  return NULL;
}
