cp -r "$WEBS/crawl/pages" crawl
cp "$WEBS/weeks/1/pages/pages-00000.warc.gz" more.warc.gz
python -c "
import gzip, json, pyarrow as pa, pyarrow.parquet as pq
rows = [{'doc_id': f'd{number}', 'content': f'the text of number {number}'} for number in range(5)]
pq.write_table(pa.Table.from_pylist(rows), 'corpus.parquet')
with gzip.open('pages.jsonl.gz', 'wt') as file:
    file.writelines(json.dumps({'text': row['content']}) + chr(10) for row in rows)
"
