# How much likelier lines are under their own prior than under the other one, if the
# other one allows them all.
W = 900; H = 760
load here.'style.gp'
if (!has(T.'divergence-histogram.tsv')) { eval NOTHING; exit }
FILE = '< '.here.'fill '.T.'divergence-histogram.tsv'
infinite = system("awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } ".\
    "NR > 1 && $at[\"infinite\"] > 0 { print $at[\"p\"] \"|\" $at[\"q\"] }' ".T.'divergence.tsv | sort -u')
finite(p, q) = strstrt("\n".infinite."\n", "\n".p.'|'.q."\n") == 0
set multiplot layout 2,1 margins 0.08,0.8,0.08,0.95 spacing 0.13
set ylabel 'density' textcolor rgb INK
set yrange [0:*]
set xlabel 'log p − log q of a line of 20 plies, nats' textcolor rgb INK
set key outside right center reverse Left samplen 2
mid(p, q) = strcol('p') eq p && strcol('q') eq q ? (column('lo') + column('hi')) / 2 : NaN
# There may be no such rule set; gnuplot needs something to plot then.
there = 0
back = 0
do for [i = 2:n] {
	if (finite(N[1], N[i])) { there = 1 }
	if (finite(N[i], N[1])) { back = 1 }
}
set title 'Classical lines, scored by rule sets that allow all of them'
if (there) {
	plot for [i = 2:n] FILE using (finite(N[1], N[i]) ? mid(N[1], N[i]) : NaN):(column('density')) \
	    with lines linetype i title (finite(N[1], N[i]) ? L[i] : '')
} else {
	set label 1 'no such rule set here' at graph 0.5, 0.5 center textcolor rgb INK
	plot [0:1][0:1] NaN notitle
	unset label 1
}
set title 'Lines of rule sets, scored by classical chess if it allows all of them'
if (back) {
	plot for [i = 2:n] FILE using (finite(N[i], N[1]) ? mid(N[i], N[1]) : NaN):(column('density')) \
	    with lines linetype i title (finite(N[i], N[1]) ? L[i] : '')
} else {
	set label 1 'no such rule set here' at graph 0.5, 0.5 center textcolor rgb INK
	plot [0:1][0:1] NaN notitle
}
unset multiplot
