# How likely lines are under their own prior: one rule set beside classical, or
# classical beside any legal move.
W = 560; H = 360
load here.'style.gp'
FILE = T.'entropy-histogram.tsv'
if (!has(FILE)) { eval NOTHING; exit }
ends = system(here.'range '.FILE.' prior net')
set xrange [word(ends, 1) + 0:word(ends, 2) + 0]
uniform = rules eq 'uniform'
own = uniform ? 'classical' : rules
label = uniform ? 'any legal move' : L[place(rules)]
if (uniform) {
	above = system(here.'range '.FILE.' prior uniform')
	set xrange [word(ends, 1) + 0:word(above, 2) + 0]
}
shade = uniform ? '#0f8b8d' : colour(place(rules))
set xlabel '−log p of a line of 20 plies, nats' textcolor rgb INK
set ylabel 'density' textcolor rgb INK
set yrange [0:*]
set key top left reverse Left samplen 1.5
set style fill transparent solid 0.6 noborder
is(p, r) = strcol('prior') eq p && strcol('rules') eq r
bar(p, r) = is(p, r) ? column('density') : NaN
# Classical beside itself would be drawn twice.
other(x) = rules eq 'classical' ? NaN : bar(uniform ? 'uniform' : 'net', own)
plot FILE using (column('lo')):(bar('net', 'classical')):(column('lo')):(column('hi')):(0):(bar('net', 'classical')) \
        with boxxyerror fillcolor rgb (rules eq 'classical' ? '#444444' : '#9a9a9a') title L[1], \
    '' using (column('lo')):(other(0)):(column('lo')):(column('hi')):(0):(other(0)) \
        with boxxyerror fillcolor rgb shade title (rules eq 'classical' ? '' : label)
