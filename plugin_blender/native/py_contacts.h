/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * py_contacts: _tribo.Contacts, the contacts of a frame as flat arrays, ready for a GPU.
 */
#ifndef NATIVE_PY_CONTACTS_H
#define NATIVE_PY_CONTACTS_H

#include "native.h"

/* names: of the simulated objects, by tribo_contact.object. New reference. */
PyObject *py_contacts_create(const native_state *state, const tribo_contact *contacts, size_t count,
                             const char *(*name_of)(const void *, size_t), const void *names);

#endif
