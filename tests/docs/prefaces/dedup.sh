cp -r "$WEBS/crawl/pages/pages-00000.warc.gz" march.warc.gz
webecho dedup "$WEBS/weeks/1/pages" -o february -q > made.txt
python -c "
import pyarrow as pa, pyarrow.parquet as pq
texts = [f'the text of number {number // 2} and some more words' for number in range(20)]
rows = {'text': texts, 'source': ['silver', 'gold'] * 10, 'quality': [*range(20)]}
rows |= {'lang': ['en', 'de', 'en', 'en'] * 5, 'dump': ['1', '2'] * 10}
pq.write_table(pa.table(rows), 'corpus.parquet')
import json
for name, rows in (('test', texts[:4]), ('train', [f'{text}, and {number} at its end' for number, text in enumerate(texts)])):
    with open(f'{name}.jsonl', 'w') as file:
        file.writelines(json.dumps({'text': text}) + chr(10) for text in rows)
"
