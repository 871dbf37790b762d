# Numbers, words, tables and pictures as HTML. Text is escaped where it becomes
# HTML: a string in a table's cell or a caption is text, {"html": ...} is not.

def e: tostring | @html;
# The id of an element, from any name of a rule set.
def slug: gsub("[^A-Za-z0-9.+-]"; "_");
def html($s): {html: $s};
def cell: if type == "object" then .html elif . == null then "–" else e end;

# ---- tables of tab-separated values ----

# Columns of names, even if they look like numbers: a rule set may be called 5.
def is_name: IN("rules", "p", "q", "a", "b", "item", "measure", "source", "kind",
    "move", "san", "start", "opening", "label", "spec", "ends", "w", "moves", "trend", "target", "player", "case");

# "inf" stays text: jq would turn it into the largest number.
def value: if . == "" then null elif IN("inf", "-inf", "nan") then . else (tonumber? // .) end;

def tsv: split("\n") | map(select(. != "") | split("\t")) | (.[0] // []) as $names |
    ($names | map(is_name)) as $text | .[1:] | map(. as $row |
    reduce range(0; $names | length) as $i ({}; .[$names[$i]] = ($row[$i] // "" |
	if $text[$i] then . else value end)));

# ---- numbers ----

def is_number: type == "number" and (isnan or isinfinite | not);

# With a fixed number of decimals, and − as the minus sign.
def fix($digits):
	if . == "inf" then "∞"
	elif . == "-inf" then "−∞"
	elif is_number | not then "–"
	else
		(if $digits == 0 then 1 else pow(10; $digits) end) as $unit |
		((fabs * $unit) + 0.5 | floor) as $n |
		(if . < 0 and $n > 0 then "−" else "" end) +
		(if $digits == 0 then ($n | tostring) else
		    (($n / $unit | floor | tostring) + "." +
		    ($n - ($n / $unit | floor) * $unit | tostring |
		    ("000000" + .)[-$digits:])) end)
	end;

def percent($digits): if is_number then (100 * . | fix($digits)) + " %" else fix(0) end;
def percent: percent(1);

# 1234567 as 1,234,567
def count: if is_number | not then "–" else
    fix(0) | [while(length > 0; .[:-3])] | map(.[-3:]) | reverse | join(",") end;

# Large ones as a power of ten, for people.
def large: if is_number | not then fix(0) elif . < 100000 then count else
    (log10 | floor) as $power | (. / pow(10; $power)) as $m |
    (if ($m | fix(2)) == "10.00" then [1, $power + 1] else [$m, $power] end) |
    html("\(.[0] | fix(2)) × 10<sup>\(.[1])</sup>") end;

def is_bound: is_number or IN("inf", "-inf");
# The unit is written only after the second end.
def ends($lo; $hi; show): ($hi | show) as $to | ($lo | show | if endswith("%") and ($to | endswith("%")) then .[:-2] else . end) as $from |
    "<span class=\"ci\">\($from) to \($to)</span>";
def interval($lo; $hi; show): if ($lo | is_bound) and ($hi | is_bound) then " " + ends($lo; $hi; show) else "" end;
# In a sentence, after its number.
def and_interval($lo; $hi; show): if ($lo | is_bound) and ($hi | is_bound) then ", " + ends($lo; $hi; show) else "" end;

# A number with its interval, as a cell.
def with_interval($lo; $hi; show): html((. | show) + interval($lo; $hi; show));
def with_error($error; $digits): html(fix($digits) + if $error | is_number then
    " <span class=\"ci\">± \(if $error > 0 and $error < pow(10; -$digits) / 2 then "&lt; \(pow(10; -$digits) | fix($digits))" else $error | fix($digits) end)</span>" else "" end);

def duration: if is_number | not then "an unknown time" elif . < 120 then "\(fix(0)) s"
    elif . < 7200 then "\(. / 60 | fix(0)) min"
    else "\(. / 3600 | fix(1)) h" end;

# ---- words ----

def plural($one; $many): "\(count) \(if . == 1 then $one else $many end)";
def plural($one): plural($one; $one + "s");
def and_list: if length < 2 then .[0] // "none" else
    (.[:-1] | join(", ")) + " and " + .[-1] end;
def of($n): if . == $n and $n > 1 then "all \($n)" elif . == 0 then "none of \($n)"
    else "\(.) of \($n)" end;

def para($text): "<p>\($text)</p>\n";
def note($text): "<p class=\"note\">\($text)</p>\n";

def section($id; $title; $body):
	"<section id=\"\($id)\" aria-labelledby=\"\($id)-title\">\n" +
	"<h2 id=\"\($id)-title\">\($title | e)</h2>\n\($body)</section>\n";

# ---- tables ----

# table(name; caption; [column, ...]; [[cell, ...], ...]). A column is a title,
# or [title] for one with numbers. The first cell of a row is its heading.
def table($name; $caption; $columns; $rows):
	"<div class=\"scroll\" role=\"region\" tabindex=\"0\" " +
	"aria-label=\"\($caption | e)\">\n<table id=\"table-\($name | slug)\">\n" +
	"<caption>\($caption | e)</caption>\n<thead><tr>" +
	([$columns[] | if type == "array" then
	    "<th scope=\"col\" class=\"n\">\(.[0] | cell)</th>" else
	    "<th scope=\"col\">\(cell)</th>" end] | add) +
	"</tr></thead>\n<tbody>\n" +
	([$rows[] | "<tr>" + ([range(0; length) as $i |
	    ($columns[$i] | if type == "array" then " class=\"n\"" else "" end)
	    as $class | if $i == 0 then
	    "<th scope=\"row\"\($class)>\(.[$i] | cell)</th>" else
	    "<td\($class)>\(.[$i] | cell)</td>" end] | add // "") + "</tr>\n"] |
	    add // "<tr><td colspan=\"\($columns | length)\">no rows</td></tr>\n") +
	"</tbody>\n</table>\n</div>\n";

# Intervals under their numbers, for tables of many columns.
def stacked: sub("<table "; "<table class=\"stacked\" ");

def folded($title; $body): "<details>\n<summary>\($title | e)</summary>\n\($body)</details>\n";

# A card that opens on a click on its title.
def folded_card($title; $body): "<details class=\"fold\">\n<summary>\($title | e)</summary>\n\($body)</details>\n";

# ---- pictures ----

# A number with its interval as a dot and a line, and the study's as a diamond,
# on a scale from $from to $to. It repeats the text beside it.
def dots($lo; $hi; $theirs; $from; $to):
	def at: if $to > $from then
	    ((. - $from) / ($to - $from) * 112 + 4) | . * 10 | round / 10 else 60 end;
	. as $ours |
	if ($ours | is_number | not) then html("") else html(
	"<svg class=\"dots\" viewBox=\"0 0 120 16\" width=\"120\" height=\"16\" " +
	"aria-hidden=\"true\">" +
	(if ($lo | is_number) and ($hi | is_number) then
	    "<path class=\"line\" d=\"M\($lo | at) 8H\($hi | at)\"/>" else "" end) +
	"<circle cx=\"\($ours | at)\" cy=\"8\" r=\"3.4\"/>" +
	(if $theirs | is_number then
	    "<path class=\"theirs\" d=\"M\($theirs | at) 3l5 5-5 5-5-5z\"/>" else "" end) +
	"</svg>") end;

# The range of all numbers among the arguments, for dots.
def range_of: map(select(is_number)) | [min // 0, max // 1];

# picture(all; name; what it shows; how to read it)
def picture($figures; $name; $alt; $caption):
	"<figure class=\"fig\" id=\"fig-\($name | slug)\">\n" +
	(if $figures[$name] then
	    "<div class=\"frame\"><img src=\"\($figures[$name] | e)\" alt=\"\($alt | e)\"></div>"
	    else "<p class=\"note\">This figure was not made in this run.</p>" end) +
	"\n<figcaption>\($caption)</figcaption>\n</figure>\n";

def small_picture($figures; $name; $alt; $caption):
	if $figures[$name] then
	"<figure class=\"fig small\" id=\"fig-\($name | slug)\">" +
	"<img src=\"\($figures[$name] | e)\" alt=\"\($alt | e)\" loading=\"lazy\">" +
	"<figcaption>\($caption)</figcaption></figure>\n" else "" end;
