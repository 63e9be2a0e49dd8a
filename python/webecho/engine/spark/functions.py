"""What SQL of ours asks for and Spark SQL does not have, by the names that DuckDB has it by."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# The second half of the MD5 of a text as a number, its first byte the lowest: the digits of a byte
# are two, and those of the last byte stand first.
_BYTES = ", ".join(f"substr(digits, {2 * byte + 1}, 2)" for byte in range(15, 7, -1))
MD5_NUMBER_LOWER = f"""
CREATE OR REPLACE TEMPORARY FUNCTION md5_number_lower(text STRING) RETURNS DECIMAL(20, 0)
RETURN SELECT CAST(conv(concat({_BYTES}), 16, 10) AS DECIMAL(20, 0))
FROM (SELECT md5(text) AS digits)
"""


def add_functions(session: "SparkSession") -> None:
    """Gives a session the functions."""
    session.sql(MD5_NUMBER_LOWER)
