# Candidate moves at each ply, White's and Black's: one rule set beside classical.
W = 560; H = 360
load here.'style.gp'
FILE = T.'entropy.tsv'
if (!has(FILE)) { eval NOTHING; exit }
uniform = rules eq 'uniform'
prior = uniform ? 'uniform' : 'net'
own = uniform ? 'classical' : rules
label = uniform ? 'any legal move' : L[place(rules)]
shade = uniform ? '#0f8b8d' : colour(place(rules))
set xlabel 'ply' textcolor rgb INK
set ylabel 'candidate moves M(t)' textcolor rgb INK
set xrange [0.5:20.5]
set xtics 2
set yrange [0:*]
set key bottom right reverse Left samplen 1.5
m(p, r) = strcol('prior') eq p && strcol('rules') eq r ? column('m') : NaN
white(x) = int(column('ply')) % 2 ? x : NaN
black(x) = int(column('ply')) % 2 ? NaN : x
plot FILE using (column('ply')):(m('net', 'classical')) with lines linewidth 1.5 linecolor rgb PALE \
        title (own eq 'classical' && !uniform ? '' : L[1]), \
    '' using (column('ply')):(m(prior, own)) with lines linewidth 1.5 linecolor rgb shade title label, \
    '' using (column('ply')):(white(m(prior, own))):(1.96 * column('m_se')) with yerrorbars \
        pointtype 6 pointsize 0.9 linewidth 1.2 linecolor rgb shade title "White's moves", \
    '' using (column('ply')):(black(m(prior, own))):(1.96 * column('m_se')) with yerrorbars \
        pointtype 7 pointsize 0.9 linewidth 1.2 linecolor rgb shade title "Black's moves"
