# The report without scripts: its text and tables as HTML, from report.json. All text is
# escaped here, in one place.
def plain: if type == "array" then map(if type == "object" then .[] else . end) | join("") elif . == null then "" else . end;
def text: plain | @html;
def element($name): "<\($name)>\(.)</\($name)>\n";
def cell: if type == "object" then .t else . end | text;

def rows_of: [.rows[] | to_entries | map(if .key == 0 then "<th scope=\"row\">\(.value | cell)</th>" else "<td>\(.value | cell)</td>" end) | add | element("tr")] | add // "";
def table_of: ([.rows[] | to_entries[] | select(.value | type == "object" and has("dots")) | .key] | unique) as $dots |
    .columns |= [to_entries[] | select(.key as $k | $dots | index($k) | not) | .value] |
    .rows |= map([to_entries[] | select(.key as $k | $dots | index($k) | not) | .value]) |
    "<div class=\"scroll\"><table><caption>\(.caption | @html)</caption><thead><tr>\([.columns[].t | "<th scope=\"col\">\(text)</th>"] | add)</tr></thead><tbody>\(rows_of)</tbody></table></div>\n";

def bar_of: .games as $games | "\(.who): \([.results[] | "\(.words) \(.n)"] | join(", ")), of \($games) games" | text | element("p");

def part($games): if .table then table_of
    elif .fold then (.fold | text | element("h3")) + ([.parts[] | part($games)] | add // "")
    elif .player then (.player | text | element("p")) + ([.parts[] | part($games)] | add // "")
    elif .h3 then .h3 | text | element("h3")
    elif .list then [.list[] | text | element("li")] | add | element("ul")
    elif .bars then [.bars[] | bar_of] | add
    elif .terms then [.terms[] | "\(.[0] | plain): \(.[1] | plain)" | @html | element("p")] | add
    elif .themes then [.themes[].text | text | element("p")] | add
    elif .chart then .alt | text | element("p")
    elif .games then [$games[.games[]] | "\(.title | plain). \(.meta | plain). \(.san) \(.result)" | @html | element("p")] | add
    else .p // .note // .meta // .lead // .warning // "" | text | element("p") end;

.games as $games |
"<p><strong>This page draws its charts by scripts, which are off here. Its text and tables follow.</strong></p>\n",
(.lead | text | element("p")), (.head[] | part($games)),
(.sections[] | (.title | text | element("h2")), (.parts[] | part($games))), (.footer | text | element("p"))
