# Results after four openings; a rule set that cannot play one has no bar.
W = 900; H = 180 + 50 * n
load here.'style.gp'
FILE = T.'openings.tsv'; KEY = 'opening'
array name[4] = ['dutch', 'chigorin', 'alekhine', 'kings-gambit']
array title[4] = ['Dutch: 1. d4 f5', 'Chigorin: 1. d4 d5 2. c4 Nc6', \
    'Alekhine: 1. e4 Nf6', "King's Gambit: 1. e4 e5 2. f4"]
set multiplot layout 2,2 margins 0.17,0.97,38.0 / H,1 - 74.0 / H spacing 0.05,74.0 / H
set key at screen 0.97,1 - 8.0 / H right top horizontal reverse Left samplen 1.2 width -1
do for [i = 1:4] {
	PANEL = name[i]
	set title title[i]
	if (i % 2) {
		eval RULE_TICS
		set ytics scale 0
	} else {
		unset ytics
	}
	load here.'bars.gp'
	unset key
}
unset multiplot
