webecho sketch "$WEBS/crawl/pages" -o web.echo -q
webecho pairs web.echo --resemblance 0.5 -q
webecho label web.echo --rule similar-0.5 --sample 120 --from-truth "$WEBS/crawl" -q
# What the truth says is what ada says, and bob too but for every ninth pair.
python -c "
import json, pathlib
file = pathlib.Path('web.echo/labels/labels.jsonl')
names = ('left_url', 'right_url', 'label', 'reasons')
lines = [json.loads(line) for line in file.read_text().splitlines()]
said = [{name: line[name] for name in names} for line in lines]
ada = [line | {'labeller': 'ada'} for line in said]
bob = [line | {'labeller': 'bob'} for line in said]
bob[::9] = [line | {'label': 'undecided', 'reasons': []} for line in bob[::9]]
pathlib.Path('two.jsonl').write_text(''.join(json.dumps(line) + chr(10) for line in ada + bob))
file.unlink()
"
webecho label web.echo --import two.jsonl -q
