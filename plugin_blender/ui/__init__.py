# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels and menus, in the order in which an artist thinks."""
