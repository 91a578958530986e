# Lines of tools/sbom.sh to a CycloneDX document; read by tools/sbom.sh alone. POSIX awk.
#   rust|VERSION    sum|NAME VERSION|SHA256    linked|DEPTH|NAME VERSION|LICENCE    built|(the same)
# "linked" are the crates whose code is in the artefact, "built" these and those that run while it is compiled.
BEGIN { FS = "|"; CARGO = "pkg:cargo/" }

function url(crate, part) {
  split(crate, part, " ")
  gsub(/\+/, "%2B", part[2])
  return CARGO part[1] "@" part[2]
}

function quoted(text) { return "\"" text "\"" }

function field(name, text) { return quoted(name) ": " quoted(text) ", " }

# One component; `more` are further fields, each with its comma.
function component(reference, crate, licence, more, part) {
  split(crate, part, " ")
  gsub(/\//, " OR ", licence) # how old manifests write it
  return "{" field("bom-ref", reference) field("type", "library") field("name", part[1]) \
    field("version", part[2]) more "\"licenses\": [{\"expression\": " quoted(licence) "}]}"
}

function sort(list, n, i, j, x) {
  for (i = 2; i <= n; i++) {
    x = list[i]
    for (j = i - 1; j > 0 && list[j] > x; j--) list[j + 1] = list[j]
    list[j + 1] = x
  }
}

$1 == "rust" { rust = $2; next }
$1 == "sum" { sum[$2] = $3; next }
{
  if ($1 == "linked") linked[$3] = 1
  if (!($3 in licence)) names[++count] = $3
  licence[$3] = $4
  at[$2] = $3
  if ($2 == 0) root = $3
  else if (!seen[at[$2 - 1], $3]++) uses[at[$2 - 1]] = uses[at[$2 - 1]] $3 "\n"
}

END {
  if (root == "" || rust == "") exit 1
  sort(names, count)
  split(root, part, " ")
  title = purl
  sub(/@.*/, "", title)
  sub(/.*\//, "", title)
  print "{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.6\",\n  \"version\": 1,"
  print "  \"metadata\": {\"component\": " \
    component(url(root), title " " part[2], licence[root], field("purl", purl)) "},"
  print "  \"components\": ["
  for (i = 1; i <= count; i++) {
    name = names[i]
    if (name == root) continue
    more = field("scope", (name in linked) ? "required" : "excluded") field("purl", url(name))
    if (name in sum) more = more "\"hashes\": [{\"alg\": \"SHA-256\", \"content\": " quoted(sum[name]) "}], "
    print "    " component(url(name), name, licence[name], more) ","
  }
  print "    " component("rust-std", "std " rust, "MIT OR Apache-2.0", \
    field("scope", "required") field("description", "Of the Rust standard library, the functions that are used"))
  print "  ],\n  \"dependencies\": ["
  for (i = 1; i <= count; i++) {
    n = split(uses[names[i]], below, "\n") - 1
    sort(below, n)
    list = (names[i] == root) ? quoted("rust-std") : ""
    for (k = 1; k <= n; k++) list = list (list == "" ? "" : ", ") quoted(url(below[k]))
    print "    {\"ref\": " quoted(url(names[i])) (list == "" ? "" : ", \"dependsOn\": [" list "]") "}" (i < count ? "," : "")
  }
  print "  ]\n}"
}
