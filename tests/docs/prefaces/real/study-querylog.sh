for year in 2018 2020 2022; do
    number=$(((year - 2016) / 2))
    webecho sketch "$WEBECHO_DATA/snapshots/$number.parquet" -o $year.echo -q
done
ln -s "$WEBECHO_DATA/queries/excite_1997.tsv" .
ln -s "$WEBECHO_DATA/queries/trec_mq_topics.1-10000.txt" trec_mq_topics.txt
ln -s "$WEBECHO_DATA/queries/topics.terabyte05.efficiency.txt" terabyte05.txt
