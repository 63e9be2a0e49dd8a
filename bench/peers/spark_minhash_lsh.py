"""pyspark.ml's MinHashLSH, as its guide has it: words, shingles of five, hashed sets, a join of the
documents with themselves at Jaccard 0.8. What is similar to a document before it goes.

    python spark_minhash_lsh.py IN OUT THREADS
"""

import sys

from pyspark.ml import Pipeline
from pyspark.ml.feature import HashingTF, MinHashLSH, NGram, RegexTokenizer
from pyspark.sql import SparkSession
from pyspark.sql import functions as sql

K, JACCARD = 5, 0.8
# A hash table is one value of MinHash, and pairs meet if any of them agrees: of pairs at 0.8 one in
# three thousand is missed, while four in ten pairs at 0.1 meet. More only take longer.
TABLES = 5


def main(source: str, target: str, threads: str) -> None:
    builder = SparkSession.builder.master(f"local[{threads}]").config("spark.driver.memory", "3g")
    session = builder.config("spark.ui.enabled", "false").getOrCreate()
    pages = session.read.parquet(source)
    # An empty set has no MinHash.
    made = Pipeline(
        stages=[
            RegexTokenizer(inputCol="text", outputCol="words", pattern=r"\s+"),
            NGram(n=K, inputCol="words", outputCol="shingles"),
            HashingTF(inputCol="shingles", outputCol="set", binary=True, numFeatures=1 << 20),
        ]
    )
    sets = made.fit(pages).transform(pages).where(sql.size("shingles") > 0).select("id", "set")
    lsh = MinHashLSH(inputCol="set", outputCol="hashes", numHashTables=TABLES, seed=1).fit(sets)
    hashed = lsh.transform(sets).persist()
    pairs = lsh.approxSimilarityJoin(hashed, hashed, 1 - JACCARD, "distance")
    gone = pairs.where("datasetA.id < datasetB.id").selectExpr("datasetB.id AS id").distinct()
    pages.join(gone, "id", "left_anti").write.parquet(target)
    session.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
