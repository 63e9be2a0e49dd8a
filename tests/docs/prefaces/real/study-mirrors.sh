for year in 2018 2020 2022; do
    number=$(((year - 2016) / 2))
    webecho sketch "$WEBECHO_DATA/snapshots/$number.parquet" -o $year.echo -q
done
webecho sketch "$WEBECHO_DATA/debian_html.parquet" -o debian_html.echo -q
