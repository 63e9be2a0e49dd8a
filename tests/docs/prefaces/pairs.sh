webecho sketch "$WEBS/crawl/pages" -o crawl.echo --links -q
printf '#0,#1\n#0,#12\n' > pairs.csv
python -c "
import pyarrow as pa, pyarrow.parquet as pq
pq.write_table(pa.table({'left': ['#0', '#3'], 'right': ['#1', '#4']}), 'pairs.parquet')
"
