# The page of a run of design, one HTML file, from design.json.

include "wish";

def escape: @html;
def key($kind; $text): "<span class=\"key \($kind)\"></span> \($text)";
def plural($n; $word): "\($n) \($word)\(if $n == 1 then "" else "s" end)";

def verdict: [.finalists[] | select(.chess | not)] as $f | ($f | map(select(.met)) | length) as $n | ($f | map(select(.sure)) | length) as $sure |
    if $n > 0 then "\($n) of \($f | length) finalists meet all aims on fresh games, " +
	(if $sure == $n then "with their whole 95 % intervals." elif $sure > 0 then "\($sure) of them with the whole 95 % intervals."
	else "but their 95 % intervals reach beyond: more games would be needed to be certain." end)
    elif any($f[]; all(.aims[]; .state != "missed")) then
	"No finalist meets all aims on fresh games, but some are so near that more games would be needed to tell."
    else "No rule set was found that meets all aims: they may be out of reach with these fields. The finalists come closest." end;

# How much the finalists fell: by luck (winner's curse), and by deeper games.
def fall: [.finalists[] | select(.chess | not)] as $f | def average(of): [$f[] | of] | add / length;
    def mean(of): average(of) | number;
    "What looks best of many owes some of it to luck. When these \($f | length) rule sets were chosen, after \([$f[].searched_games] | add) games " +
    "of them, a loss (squared misses, in units of each aim) of \(mean(.expected_loss)) was expected on average. " +
    (if all($f[]; .same_loss != null) then "In as many fresh games as below, at the same \(.sims) nodes a move, it is \(mean(.same_loss)): \(if average(.same_loss) > average(.expected_loss) then "so much was luck" else "luck has not flattered them" end). " else "" end) +
    "In the \([$f[].games] | add) fresh games at \(.deep) nodes a move it is \(mean(.loss)). On the cards, what counts is fresh; beside it is what was measured before. " +
    "Each 95 % interval stands for itself: of \([$f[].aims[] | select(.from != .to)] | length) such intervals about one in twenty does not hold the truth.";

def mark: {sure: "✓ met", met: "≈ met, not certain", open: "≈ open", missed: "✗ missed", wish: "", unknown: "? not measured"}[.];
def aim_row($g): "<tr class=\"\(.state)\"><th scope=\"row\">\($g | wish | escape)</th><td>\(. as $a | .at | show($a.measure))" +
    (if .from == .to then "" else "<span class=\"ci\">\(. as $a | .from | show($a.measure)) to \(. as $a | .to | show($a.measure))</span>" end) +
    "<span class=\"state\">\(.state | mark)</span></td><td>\(. as $a | .chosen | show($a.measure))</td></tr>";
def game: "<details><summary>A game</summary><p class=\"moves\">\(. | escape)</p></details>";
def card($goals): "<article class=\"card\" id=\"rules-\(.id)\"><h3>\(.title | escape)</h3>" +
    "<p>\(.sentence | escape)</p><table><caption class=\"hidden\">Aims and fresh games</caption><thead><tr><th scope=\"col\">wanted</th><th scope=\"col\">fresh</th>" +
    "<th scope=\"col\">before</th></tr></thead><tbody>" +
    ([range($goals | length) as $i | .aims[$i] | aim_row($goals[$i])] | join("")) + "</tbody></table>" +
    "<p class=\"soft\">\(.games) fresh games; loss \(.loss | number), before \(.chosen_loss | number) in \(.searched_games) games" +
    (if .expected_loss then ", expected \(.expected_loss | number)" else "" end) + ".</p>" +
    "<p>" + (if .page then "<a class=\"button\" href=\"\(.page)\">Play it</a> " else "" end) +
    "<a href=\"rules/\(.id).json\">rules/\(.id).json</a></p>" +
    "<pre>\(.rules | tojson | escape)</pre>" + ([(.moves // [])[] | game] | join("")) + "</article>";

def row($goals): "<tr><td>\(.id)</td><th scope=\"row\">\(.title | escape)</th><td>\(.games)</td>" +
    ([range($goals | length) as $i | .values[$i] as $v | "<td>\($v[0] | show($goals[$i].measure))</td>"] | join("")) +
    "<td>\(.loss | number)</td></tr>";

. as $d |
"<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\($hash)'; img-src data:; base-uri 'none'; form-action 'none'\">
<title>Rules that were looked for</title>
<link rel=\"icon\" href=\"data:,\">
<style>\n\($style)</style>
</head>
<body>
<main class=\"page\">
<h1>Rules that were looked for</h1>
<p class=\"lead\">Wanted, with at most \(plural(.most; "field")) of chess changed:</p>
<ul class=\"wishes\">" + ([.aims[] | "<li>\(wish | escape)" + (if .weight != 1 then " <span class=\"soft\">(weight \(.weight | number))</span>" else "" end) + "</li>"] | join("")) + "</ul>
<p class=\"verdict\">\(verdict | escape)</p>
<p>\(plural(.all | length; "rule set")) were tried in \(.games) games at \(.sims) nodes a move. \(fall | escape)</p>
<h2>The map</h2>
<p>Each dot is a rule set that was tried, with 95 % intervals, by \(.map[0] | words | escape) and \(.map[1] | words | escape). Choose a dot to read about it.</p>
<p class=\"soft\">\(key("finalist"; "finalists, by their fresh games")), \(key("chess"; "chess, by fresh games")), \(key("preset"; "rule sets of the published study")), \(key("dot"; "others that were tried"))" +
(if any(.all[]; .allowed | not) then ", \(key("other"; "not allowed by the aims, for comparison"))" else "" end) +
(if any(.aims[].measure; IN($d.map[])) then "; \(key("wanted"; "what is wanted"))" else "" end) + ".</p>
<div class=\"map\"><div id=\"map\"></div><div id=\"about\" role=\"status\" aria-live=\"polite\"><p class=\"soft\">No rule set is chosen.</p></div></div>
<h2>The best</h2>
<div class=\"cards\">" + ([.finalists[] | select(.chess | not) | card($d.aims)] | join("\n")) + "</div>" +
([.finalists[] | select(.chess)] | if length > 0 then "<h2>Chess beside them</h2><div class=\"cards\">" + (map(card($d.aims)) | join("")) + "</div>" else "" end) + "
<h2>All that was tried</h2>
<details><summary>\(plural(.all | length; "rule set")), best first, with the numbers of the search</summary>
<div class=\"wide\"><table class=\"all\"><thead><tr><th scope=\"col\">id</th><th scope=\"col\">rules</th><th scope=\"col\">games</th>" +
([.aims[] | "<th scope=\"col\">\(.measure | words | escape)</th>"] | join("")) + "<th scope=\"col\">expected loss</th></tr></thead><tbody>" +
([.all | sort_by(.loss)[] | row($d.aims)] | join("\n")) + "</tbody></table></div></details>
<footer><p>Made by rulelab \($version | escape), seed \(.seed | escape); nothing on this page is sent anywhere.</p></footer>
</main>
<script type=\"application/json\" id=\"data\">\({map, names: [.map[] | words], shares: [.map[] | is_share],
    aims: [.map[] as $m | [.aims[] | select(.measure == $m) | (.between // [.above, .below])][0]],
    all: [.all[] | {id, title, sentence, preset, games, x, y, allowed, loss, rules}],
    finalists: [.finalists[] | {id, title, sentence, games, x, y, chess, page, rules} | select(.x != null and .y != null)]} |
    tojson | gsub("<"; "\\u003c"))</script>
<script>\n\($script)</script>
</body>
</html>"
