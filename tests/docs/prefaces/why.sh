python -c "
import json
words = 'some words that every page has and that stand in one order on all of them'.split()
pages = [
    {'url': f'http://{name}.example/', 'text': ' '.join([*words, str(name)])}
    for name in ['a', 'b', *range(60)]
]
with open('crawl.jsonl', 'w') as file:
    file.writelines(json.dumps(page) + chr(10) for page in pages)
"
webecho sketch crawl.jsonl -o crawl.echo -q
webecho clusters crawl.echo -q > made.txt
webecho dedup crawl.jsonl -o clean -q > made.txt
echo '<p>some words that are here' > old.html
echo '<p>some words that are there' > new.html
