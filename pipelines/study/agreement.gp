# Do our numbers put rule sets into the study's order? Rank correlations.
m = int(system("awk 'NR > 1' ".T.'agreement.tsv | wc -l'))
W = 760; H = 100 + 26 * m
load here.'style.gp'
FILE = T.'agreement.tsv'
if (!has(FILE)) { eval NOTHING; exit }
set border 1
set grid noytics
set xrange [-1.05:1.05]
set yrange [0.4:m + 0.6]
set lmargin screen 0.42
set rmargin screen 0.97
set tmargin screen 1 - 20.0 / H
set bmargin screen 70.0 / H
set arrow from 0, graph 0 to 0, graph 1 nohead linewidth 1 linecolor rgb PALE back
set xlabel "Rank correlation with the study, 95 % interval; ◇ expected" textcolor rgb INK
set ytics scale 0
y(x) = m - column(0)
# The measures have the names that the report gives them.
named(measure) = system("jq -r --arg m '".measure."' '.measures[$m] // ($m | gsub(\"-\"; \" \"))' '".here."report/words.json'")
plot FILE using (column('rho')):(y(0)):(column('rho_lo')):(column('rho_hi')):ytic(sprintf('%s (n = %s)', named(strcol('measure')), strcol('n'))) \
        with xerrorbars pointtype 7 pointsize 0.9 linewidth 1.6 linecolor rgb '#1f5fa8' notitle, \
    '' using (column('rho_expected')):(y(0)) with points pointtype 12 pointsize 1.1 linewidth 1.4 linecolor rgb '#b8500f' notitle, \
    '' using (0):(strcol('rho') eq '' ? y(0) : NaN):('too few') with labels font ',10' textcolor rgb PALE notitle, \
    NaN notitle
