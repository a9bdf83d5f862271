# SPDX-License-Identifier: GPL-3.0-or-later
"""A reason for which nothing is baked, written for the artist."""


class Refusal(Exception):
    pass
