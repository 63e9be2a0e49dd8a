import json

import pytest

from tests.odd_json import ODD
from webecho.formats.json_text import as_bytes, parsed, text_of


@pytest.mark.parametrize("text", ODD)
def test_any_text_is_a_value_or_a_value_error(text: str) -> None:
    for given in (text, text.encode("utf-8", "surrogatepass")):
        try:
            value = parsed(given)
            written = as_bytes({"value": value})
        except ValueError:
            continue
        assert json.loads(written) == {"value": value}


@pytest.mark.parametrize(
    "text", ["[" * 5000 + "]" * 5000, '{"a":' * 3000 + "1" + "}" * 3000, "9" * 5000]
)
def test_what_is_too_deep_or_too_long(text: str) -> None:
    with pytest.raises(ValueError, match=r"nested too deep|Exceeds the limit"):
        parsed(text)


def test_what_json_has_no_word_for_is_refused_and_half_a_character_spelt_out() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_bytes({"a": parsed("1e400")})
    assert as_bytes({"ä": parsed('"\\ud800"')}) == b'{"\\u00e4": "\\ud800"}'
    assert as_bytes({"ä": 1}) == '{"ä": 1}'.encode()


def test_texts_of_values() -> None:
    assert [text_of(each) for each in ("a", 1, 0.5, None, [1], {"a": 1})] == [
        *("a", "1", "0.5", "", "", "")
    ]
