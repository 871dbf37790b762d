# Candidate moves at each ply after 1. e4 and after 1. Nf3.
W = 900; H = 380
load here.'style.gp'
FILE = T.'entropy-first.tsv'
if (!has(FILE)) { eval NOTHING; exit }
array name[2] = ['classical', 'no-castling']
set multiplot layout 1,2 margins 0.08,0.98,0.16,0.9 spacing 0.08
set xlabel 'ply after the move' textcolor rgb INK
set ylabel 'candidate moves M(t)' textcolor rgb INK
set yrange [0:*]
set xrange [0.5:20.5]
set xtics 2
set key bottom right reverse Left samplen 1.5
m(s) = strcol('start') eq s && strcol('rules') eq R ? column('m') : NaN
do for [i = 1:2] {
	R = name[i]
	set title place(R) > 0 ? L[place(R)] : R
	plot FILE using (column('ply')):(m('e4')) with linespoints pointtype 7 pointsize 0.5 linewidth 1.5 \
	        linecolor rgb '#c2714f' title 'after 1. e4', \
	    '' using (column('ply')):(m('Nf3')) with linespoints pointtype 7 pointsize 0.5 linewidth 1.5 \
	        linecolor rgb '#4f7fa8' title 'after 1. Nf3'
}
unset multiplot
