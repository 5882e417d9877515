"""The patterns that short strings of a request must have, and the same rules in words.

The patterns stand in the OpenAPI document, for programs; whoever broke a rule is told the words.
"""

from typing import Final

ID: Final = r"^(\.{3,}|\.{0,2}[^\s/.\x00-\x1f\x7f-\x9f][^\s/\x00-\x1f\x7f-\x9f]*)$"
MODEL_NAME: Final = r"^[^\s\x00-\x1f\x7f-\x9f]+$"
CURSOR: Final = "^[A-Za-z0-9_-]+$"
VERSION: Final = r'^(\*|"[0-9]{1,9}")$'
MARK: Final = r"^[\x21-\x7e]+$"
NOT_BLANK: Final = r"\S"

IN_WORDS: Final = {
    ID: "An id has no spaces, slashes or control characters, and is neither . nor ..",
    MODEL_NAME: "A model's name has no spaces or control characters.",
    CURSOR: "This is no cursor: give the `next_cursor` of the page before as it was.",
    VERSION: 'Give the `ETag` as it was sent, with its quotes, such as "3", or * for any version.',
    MARK: "This has visible ASCII characters only: letters, digits and signs, no spaces.",
    NOT_BLANK: "This must say something; it is blank.",
}
