# The tables of a report, as HTML for who runs no scripts ($form is "html") or as Markdown where
# there is no node ("text"), from report.json: what each rule set changes, and the tables with a
# row for each rule set. Numbers have their intervals beside them.
def names: {"rules": "Rule set", "own": "Own", "games": "Games", "wins": "White won", "draws": "Drawn", "losses": "Black won", "part_wins": "Part of a point, more to White", "part_losses": "… to Black",
    "draw_rate": "Draw rate", "score": "White’s score", "plies_mean": "Plies, mean", "plies_median": "Plies, median", "sims": "A move", "measure": "Measure", "mean": "Mean", "kind": "Kind",
    "games_share": "Share of games", "moves_share": "Share of moves", "fullmove_mean": "Mean move", "wish": "Aim", "value": "Here", "verdict": "Verdict", "reason": "Reason", "diff": "Difference from chess",
    "positions": "Positions", "target": "Fitted to", "opening": "Opening", "ply": "Plies", "h": "Entropy, nats", "agree": "Nets with this sign", "nets": "Nets", "net": "Net", "fields": "Never told",
    "knight": "Knight", "bishop": "Bishop", "rook": "Rook", "queen": "Queen", "elo": "Elo", "p_holm": "p (Holm)", "opening_name": "Opening"};
# Which tables, their titles and columns; of some, the rows that are shown.
def shown: [
    ["goals", "Your aims", ["rules", "wish", "value", "verdict"]],
    ["findings", "Differences from chess, and whether they stand", ["rules", "measure", "diff", "verdict", "reason"]],
    ["outcomes", "Outcomes", ["rules", "sims", "games", "wins", "draws", "losses", "part_wins", "part_losses", "draw_rate", "score", "plies_mean"]],
    ["untold", "Rules that a net was never told", ["rules", "net", "fields"]],
    ["replication", "Differences from chess by several nets", ["rules", "measure", "diff", "agree", "nets", "p_holm"]],
    ["special", "Special moves", ["rules", "sims", "kind", "games_share", "moves_share", "fullmove_mean"]],
    ["measures", "What game designers measure", ["rules", "sims", "measure", "mean"]],
    ["values", "Piece values in pawns", ["rules", "sims", "target", "positions", "knight", "bishop", "rook", "queen"]],
    ["openings", "After four openings", ["rules", "opening", "games", "draw_rate", "score"]],
    ["entropy", "Opening choice", ["rules", "ply", "h"]],
    ["doublings", "What a doubling of thinking buys", ["rules", "games", "elo"]]];
# Words for what stands in a column.
def said($words; $c): if $c == "measure" then {"draw_rate": "Draw rate", "score": "White’s score", "entropy": "Opening choice", "values": "Piece values"}[.] // $words.measures[.] // gsub("[-_]"; " ")
    elif $c == "reason" then $words.reasons[.] // "" elif $c == "kind" then gsub("-"; " ") else . end;
def wanted($name; $rows): if $name == "special" then $rows | map(select(.class == "new"))
    elif $name == "entropy" then $rows | map(select(.prior == "net")) | (map(.ply) | max) as $last | map(select(.ply == $last)) else $rows end;

def digits: if type != "number" then . // "–" elif . != 0 and (fabs < 0.0001) then "0.0000" elif . == (. | floor) then tostring else (. * 10000 | round / 10000 | tostring) end;
# A number and its interval, or its standard error.
def number($name): . as $row | (.[$name] | digits | tostring) +
    (if ($row[$name] | type) != "number" then "" elif $row[$name + "_lo"] | type == "number" then " (\($row[$name + "_lo"] | digits) to \($row[$name + "_hi"] | digits))"
    elif $row[$name + "_se"] | type == "number" then " ± \(1.96 * $row[$name + "_se"] | digits)" else "" end);

def safe: gsub("[\u0000-\u001f\u007f-\u009f]"; " ");
def mark: safe | gsub("(?<c>[\\\\`*<\\[|])"; "\\\(.c)");
def html_table($title; $names; $rows): "<div class=\"scroll\"><table><caption>\($title | @html)</caption><thead><tr>" + ($names | map("<th scope=\"col\">\(@html)</th>") | add) + "</tr></thead><tbody>" +
    ($rows | map("<tr>" + (to_entries | map(if .key == 0 then "<th scope=\"row\">\(.value | @html)</th>" else "<td>\(.value | @html)</td>" end) | add) + "</tr>\n") | add // "") + "</tbody></table></div>";
def text_table($title; $names; $rows): "**\($title | mark)**\n\n" + ([$names, ($names | map("---"))] + $rows | map("| " + (map(if . == "---" then . else mark end) | join(" | ")) + " |\n") | add);
def one($title; $names; $rows): if $rows == [] then empty elif $form == "html" then html_table($title; $names; $rows) else text_table($title; $names; $rows) end;

. as $report | (.rules | map({key: .rules, value: .label}) | from_entries) as $labels |
(if $form == "html" then "<p><strong>This page is drawn by scripts, which are off here. Its tables follow; all of them are in files beside it.</strong></p>"
    else "# What would chess become under other rules?\n\nThis text has tables alone, because it was made without node; report.html says more.\n" end),
one("The rule sets"; ["Rule set", "What differs from classical chess"]; [$report.rules[] | [.label, .sentence]]),
(shown[] | . as [$table, $title, $columns] | $report.tables[$table] | select(. != null) | .columns as $names | [.rows[] | [$names, .] | transpose | map({key: .[0], value: .[1]}) | from_entries] | wanted($table; .) as $rows |
    ($columns | map(select(. as $c | $names | index([$c])))) as $kept |
    one($title; $kept | map(names[.] // gsub("[-_]"; " ")); [$rows[] | . as $row | [$kept[] | . as $c | if $c == "rules" then $row.rules | $labels[.] // . else $row | number($c) | said($report.words; $c) end]]))
