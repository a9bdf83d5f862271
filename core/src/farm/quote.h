/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * quote: a text as a word of another language, whatever is in it. Free with free(); NULL when out
 * of memory.
 */
#ifndef FARM_QUOTE_H
#define FARM_QUOTE_H

char *quote_shell(const char *text); /* 'it'\''s' */
char *quote_json(const char *text);  /* "a \"word\""; YAML and JavaScript take it too */
char *quote_xml(const char *text);   /* a &lt; b, without quotes around */

#endif
