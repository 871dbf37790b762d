# One panel of results as bars: rows of FILE whose column KEY is PANEL. From left to
# right: White's wins, games worth a part of a point that are better for White, draws,
# those better for Black, Black's wins.
CLASSES = 'wins part_wins draws part_losses losses'
share(k) = 100.0 * column(k) / column('games')
# Where a class ends.
up_to(k) = sum [i = 1:k] share(word(CLASSES, i))
middle(k) = up_to(k) - share(word(CLASSES, k)) / 2
at(x) = strcol(KEY) eq PANEL && column('games') > 0 ? x : NaN
y(x) = row(strcol('rules'))
text(k) = share(k) < 6 ? '' : sprintf('%.0f', share(k))
# Few draws have no room for their number inside; it stands above them.
few(x) = share('draws') < 6 ? sprintf('%.0f', share('draws')) : ''
# Parts of points are in the key only where there are some.
parts = int(system("awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } ".\
    "NR > 1 { n += $at[\"part_wins\"] + $at[\"part_losses\"] } END { print (n > 0) }' ".FILE))
named(k) = word('White_wins part_of_a_point,_more_to_White draw part_of_a_point,_more_to_Black Black_wins', k)
blank(s) = strstrt(s, '_') ? s[1:strstrt(s, '_') - 1].' '.blank(s[strstrt(s, '_') + 1:*]) : s
heading(k) = parts || k % 2 ? blank(named(k)) : ''
array FILL[5] = [WIN, PART_WIN, DRAW, PART_LOSS, LOSS]
set border 0
unset grid
set xrange [0:100]; set yrange [0.4:n + 0.6]
set xtics 0,50,100 format '%g %%' scale 0
plot for [k = 1:5] FILE using (0):(at(y(0))):(up_to(k) - share(word(CLASSES, k))):(up_to(k)):(y(0) - 0.36):(y(0) + 0.36) \
        with boxxyerror fillcolor rgb FILL[k] title heading(k), \
    for [k = 1:5] '' using (middle(k)):(at(y(0))):(text(word(CLASSES, k))) \
        with labels font ',10' textcolor rgb (k > 3 ? 'white' : INK) notitle, \
    '' using (middle(3)):(at(y(0)) + 0.47):(few(0)) \
        with labels font ',8' textcolor rgb INK notitle
