# Webs that pages begin with.
webecho synth crawl --pages 120 --words 80 --duplicates 0.5 -q
webecho synth weeks --pages 60 --snapshots 3 --mirrors 2 --followers 0 -q
webecho synth years --reuse --snapshots 3 --pages 300 -q
