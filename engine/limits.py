"""Every limit of the engine, in one place, each with its reason."""

from __future__ import annotations

# A paste larger than this freezes the text box of a browser; an upload has no text box.
PASTE_BYTES = 5_000_000
UPLOAD_BYTES = 20_000_000

# tokenizer.json files in use reach 33 MB (Gemma 3); twice that leaves room and bounds memory.
TOKENIZER_FILE_BYTES = 64_000_000
# Published files nest 6 deep; far below the recursion limit of Python's JSON reader.
JSON_DEPTH = 64
# Brackets and commas in such a file, by which it is known before it is read how much memory and
# time its values will take. Gemma 3 has 8,000, 520,000 and 1,340,000.
JSON_OBJECTS = 100_000
JSON_LISTS = 2_000_000
JSON_COMMAS = 4_000_000
# Members of an object other than the vocabulary; published files have up to 10.
JSON_MEMBERS = 1_000
# Tokens, and merges, of one file: twice to four times what the largest published ones have.
TABLE_ROWS = 1_000_000
# Ids are unsigned 32-bit numbers in both reference libraries.
LARGEST_ID = 2**32 - 1

# An uploaded split pattern may backtrack for ever. Two seconds are long for a short text; longer
# ones get more, a fifth of the speed at which published patterns run (a million a second).
PATTERN_SECONDS = 2.0
PATTERN_CHARACTERS_PER_SECOND = 200_000
# The longest published pattern has some 500 characters.
PATTERN_CHARACTERS = 20_000
# Components of one uploaded file; published files have up to 6. Each may take its time.
COMPONENTS = 32
# A normalizer of an uploaded file may lengthen a text; this is the most it may become.
NORMALIZED_CHARACTERS = 40_000_000

# Pieces kept per tokenizer: about 200 bytes each, so some 40 MB at the most.
CACHED_PIECES = 200_000
# Longer pieces (in code points) rarely come twice and would make that bound meaningless.
CACHED_PIECE_LENGTH = 200

# Stretches of a long text that are remembered, about 8,000 code points each: ids of some 4 million
# characters, 20 MB per tokenizer.
CHUNK_CHARACTERS = 8_000
CHUNKS_KEPT = 500

# Pairs of neighbouring characters about which is known whether a token reaches across them.
NEIGHBOURS_KEPT = 300_000

# From this many bytes on, a heap beats rescanning the piece at every merge.
LONG_PIECE_BYTES = 250

# A piece that repeats a unit of so many bytes is merged all copies at a time. Longer units repeat
# too few times in a piece of that kind for the check to pay.
LONGEST_REPEATED_UNIT = 32

# `unicodedata` sorts runs of combining marks by insertion; longer runs are sorted before.
LONG_MARK_RUN = 32

# Ids pasted to be decoded: more than a text of the paste limit makes.
PASTED_IDS = 2_000_000

# A link of 2,000 characters could unpack to 1.5 MB of one letter; no honest one does.
LINK_BYTES = 200_000

# A piece is written again and again up to this length to show how the work of merging grows; both
# algorithms together take a tenth of a second for it.
WORK_CURVE_UNITS = 4_096
