# The prior's probability of each first move, in percent.
W = 960; H = 120 + 28 * n
# The moves of the first rule set, pawns first, then further moves of the others.
moves = system("awk -F '\t' 'NR == 2 { first = $1 } NR > 1 && $1 == first { print $2 ~ /^[bg]1/ ? 5 : substr($2, 4, 1), $2, $3 }' ".\
    T."firstmoves.tsv | sort -k1,1n -k2,2 | cut -d ' ' -f 2,3")
m = words(moves) / 2
besides = "< awk -F '\t' 'NR == 2 { first = $1 } NR > 1 && $1 == first { known[$2] = 1 } ".\
    "NR > 1 && !known[$2] { sum[$1] += $4 } END { print \"rules\\tprior\"; for (r in sum) print r \"\\t\" sum[r] }' ".T.'firstmoves.tsv'
load here.'style.gp'
FILE = T.'firstmoves.tsv'
if (!has(FILE)) { eval NOTHING; exit }
set lmargin screen 150.0 / W
set rmargin screen 0.99
set tmargin screen 1 - 30.0 / H
set bmargin screen 60.0 / H
set border 0
unset grid
unset colorbox
# before there are ranges, which stats takes for limits
stats FILE using (100 * column('prior')) name 'P' nooutput
set xrange [0.5:m + 1.5]; set yrange [0.5:n + 0.5]
set palette defined (0 '#fbfbf9', 0.15 '#c9dcea', 0.5 '#6f9fc4', 1 '#1f4f7f')
set cbrange [0:P_max]
eval RULE_TICS
set ytics scale 0
do for [i = 1:m] {
	set xtics add (word(moves, 2 * i) i)
}
set xtics add ('others' m + 1)
set xtics scale 0 rotate by 45 right font ',10'
x(s) = int(sum [i = 1:m] (word(moves, 2 * i - 1) eq s ? i : 0))
at(i) = i > 0 ? i : NaN
text(x) = x < 0.5 ? '' : sprintf('%.0f', x)
ink(x) = x > 0.6 * P_max ? 0xffffff : 0x333333
percent(x) = 100 * column('prior')
plot FILE using (at(x(strcol('move')))):(row(strcol('rules'))):(0.48):(0.48):(percent(0)) \
        with boxxyerror fillcolor palette notitle, \
    besides using (m + 1):(row(strcol('rules'))):(0.48):(0.48):(percent(0)) \
        with boxxyerror fillcolor palette notitle, \
    FILE using (at(x(strcol('move')))):(row(strcol('rules'))):(text(percent(0))):(ink(percent(0))) \
        with labels font ',10' textcolor rgb variable notitle, \
    besides using (m + 1):(row(strcol('rules'))):(text(percent(0))):(ink(percent(0))) \
        with labels font ',10' textcolor rgb variable notitle
