"""Two pages that differ in some words, and what rules say of them."""

FOX = "The quick brown fox jumps over the lazy dog. It was a fine day in May."

CAT = "The quick brown cat jumps over the lazy dog. It was a fine evening in May, again!"

RULES = """
rule                 together
payload              no        they do not have the same stored bytes
text                 no        they do not have the same visible text
tokens               no        they do not have the same tokens
very-similar         no        0 of 6 supershingles agree, 2 are asked for
virtually-identical  no        0 of 6 supershingles agree, 6 are asked for
similar-0.8          no        the resemblance is 0.2273, 0.8 is asked for
edited-0.9           no        the share of equal words is 0.8000, 0.9 is asked for
b-2                  no        0 of 6 supershingles agree, 2 are asked for
c-372                no        279 of 384 bits agree, 372 are asked for
combined-2-355       no        0 of 6 supershingles agree, 2 are asked for; \
279 of 384 bits agree, 355 are asked for
by-site-2-355-372    no        the sites differ; 279 of 384 bits agree, 372 are asked for
paragraphs           no        a page has 76 characters, more than 450 are asked for
overlap-lines-4-15   no        0 chunks of lines:4 are on both, 15 are asked for
"""
