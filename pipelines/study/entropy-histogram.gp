# How likely lines are under their own prior, all rule sets together.
W = 900; H = 480
load here.'style.gp'
TABLE = T.'entropy-histogram.tsv'
if (!has(TABLE)) { eval NOTHING; exit }
FILE = '< '.here.'fill '.TABLE
ends = system(here.'range '.TABLE.' prior net')
set xrange [word(ends, 1) + 0:word(ends, 2) + 0]
set xlabel 'information content of a line of 20 plies, −log p, nats' textcolor rgb INK
set ylabel 'density' textcolor rgb INK
set yrange [0:*]
set key outside right center reverse Left samplen 2
mid(i) = strcol('prior') eq 'net' && strcol('rules') eq N[i] ? (column('lo') + column('hi')) / 2 : NaN
plot for [i = 1:n] FILE using (mid(i)):(column('density')) with lines linetype i title L[i]
