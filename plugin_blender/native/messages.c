/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "messages.h"

#include <stdlib.h>
#include <string.h>

void messages_add(messages *m, tribo_log_level level, const char *text) {
  char *mine = strdup(text);
  if (!mine) return; /* the words are lost, the work is not */
  if (m->count == MESSAGES_MOST) {
    free(m->items[0].text);
    memmove(m->items, m->items + 1, (MESSAGES_MOST - 1) * sizeof *m->items);
    m->count--;
  }
  m->items[m->count++] = (struct message){level, mine};
}

void messages_clear(messages *m) {
  for (size_t i = 0; i < m->count; i++) free(m->items[i].text);
  m->count = 0;
}

PyObject *messages_list(const messages *m) {
  static const char *const levels[] = {"debug", "info", "warning"};
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < m->count; i++) {
    const char *text = m->items[i].text;
    PyObject *words = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    PyObject *item = words ? Py_BuildValue("(sN)", levels[m->items[i].level], words) : NULL;
    if (!item || PyList_Append(list, item) != 0) Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}
