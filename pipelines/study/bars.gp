# One panel of results as bars: rows of FILE whose column KEY is PANEL.
share(k) = 100.0 * column(k) / column('games')
at(x) = strcol(KEY) eq PANEL && column('games') > 0 ? x : NaN
y(x) = row(strcol('rules'))
text(k) = share(k) < 6 ? '' : sprintf('%.0f', share(k))
# Few draws have no room for their number inside; it stands above them.
few(x) = share('draws') < 6 ? sprintf('%.0f', share('draws')) : ''
set border 0
unset grid
set xrange [0:100]; set yrange [0.4:n + 0.6]
set xtics 0,50,100 format '%g %%' scale 0
plot FILE using (0):(at(y(0))):(0):(share('wins')):(y(0) - 0.36):(y(0) + 0.36) \
        with boxxyerror fillcolor rgb WIN title 'White wins', \
    '' using (0):(at(y(0))):(share('wins')):(100 - share('losses')):(y(0) - 0.36):(y(0) + 0.36) \
        with boxxyerror fillcolor rgb DRAW title 'draw', \
    '' using (0):(at(y(0))):(100 - share('losses')):(100):(y(0) - 0.36):(y(0) + 0.36) \
        with boxxyerror fillcolor rgb LOSS title 'Black wins', \
    '' using (share('wins') / 2):(at(y(0))):(text('wins')) \
        with labels font ',10' textcolor rgb INK notitle, \
    '' using (share('wins') + share('draws') / 2):(at(y(0))):(text('draws')) \
        with labels font ',10' textcolor rgb INK notitle, \
    '' using (share('wins') + share('draws') / 2):(at(y(0)) + 0.47):(few(0)) \
        with labels font ',8' textcolor rgb INK notitle, \
    '' using (100 - share('losses') / 2):(at(y(0))):(text('losses')) \
        with labels font ',10' textcolor rgb 'white' notitle
