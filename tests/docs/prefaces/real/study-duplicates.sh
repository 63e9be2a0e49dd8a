for year in 2018 2020 2022; do
    number=$(((year - 2016) / 2))
    webecho sketch "$WEBECHO_DATA/snapshots/$number.parquet" -o $year.echo -q
done
