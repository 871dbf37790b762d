# How likely lines are after 1. e4 and after 1. Nf3.
W = 900; H = 380
load here.'style.gp'
FILE = T.'entropy-first-histogram.tsv'
if (!has(FILE)) { eval NOTHING; exit }
array name[2] = ['classical', 'no-castling']
set multiplot layout 1,2 margins 0.08,0.98,0.16,0.9 spacing 0.08
set xlabel '−log p of the 20 plies after the move, nats' textcolor rgb INK
set ylabel 'density' textcolor rgb INK
set yrange [0:*]
set key top left reverse Left samplen 1.5
set style fill transparent solid 0.6 noborder
bar(s) = strcol('start') eq s && strcol('rules') eq R ? column('density') : NaN
do for [i = 1:2] {
	ends = system(here.'range '.FILE.' rules '.name[i])
	set xrange [word(ends, 1) + 0:word(ends, 2) + 0]
	R = name[i]
	set title place(R) > 0 ? L[place(R)] : R
	plot FILE using (column('lo')):(bar('e4')):(column('lo')):(column('hi')):(0):(bar('e4')) \
	        with boxxyerror fillcolor rgb '#c2714f' title 'after 1. e4', \
	    '' using (column('lo')):(bar('Nf3')):(column('lo')):(column('hi')):(0):(bar('Nf3')) \
	        with boxxyerror fillcolor rgb '#4f7fa8' title 'after 1. Nf3'
}
unset multiplot
