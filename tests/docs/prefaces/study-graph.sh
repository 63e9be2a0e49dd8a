webecho synth linked --graph --pages 200 -q
webecho sketch linked/pages -o linked.echo -q
# A page that leads to all others, and a list of links from each to the next.
python -c "
import gzip, json, pathlib
import pyarrow.dataset as ds
urls = ds.dataset('linked.echo/sketches').to_table(['url'])['url'].to_pylist()
html = ''.join(f'<a href=\"{url}\">{number}</a> ' for number, url in enumerate(urls))
pathlib.Path('start.jsonl').write_text(json.dumps({'url': 'http://www.example.org/', 'html': html}))
with gzip.open('links.tsv.gz', 'wt') as file:
    file.writelines(f'{a}\t{b}\n' for a, b in zip(urls, urls[1:]))
"
webecho sketch linked/pages start.jsonl -o crawl.echo --links --paragraphs -q
cp -r crawl.echo 2004.echo
cp -r crawl.echo 2006.echo
