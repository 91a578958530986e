# Writes a linker script that puts together the sections of an object that the same functions reach.
#   awk -f group.awk <file of their names> <readelf --sections --symbols> <readelf --relocs>
# Every section costs some 200 bytes: a header, a name and a symbol, and the same again for its
# relocations. Those put together are used together, so --gc-sections keeps no more than before.
FNR == 1 { part++ }

part == 1 { root[++roots] = $1; next }

# A section: number, name, type, address, offset, size, size of an entry, flags. Only the plain ones of
# code and data: others have a meaning by their name, or are merged by the linker.
part == 2 && /^ *\[ *[0-9]+\] \./ {
  sub(/^ *\[ */, ""); sub(/\]/, "")
  name[$1] = $2
  last = $1
  if ($3 ~ /^RELA?$/) { sub(/^0+/, "", $5); relocated[$5] = $(NF - 1) }
  if ($3 == "PROGBITS" && $8 ~ /^(A|WA|AX)$/ &&
      match($2, /^\.(text|rodata|data\.rel\.ro|gcc_except_table)\./)) kind[$1] = substr($2, 1, RLENGTH - 1)
}
# A symbol: number, value, size, type, binding, visibility, section, name.
part == 2 && /^ *[0-9]+: / && $7 ~ /^[0-9]+$/ {
  sub(/:/, "", $1)
  section[sprintf("%08x", $1)] = $7
  if ($5 != "LOCAL") defined[$8] = $7
}

# Relocations: the section that they are of, by its place as long names are cut; then its edges, each
# with the symbol in the upper half of Info.
part == 3 && /^Relocation section/ {
  from = relocated[substr($6, 3)]
  frames = name[from] == ".eh_frame"
}
part == 3 && /^[0-9a-f]+ +[0-9a-f]+ +R_/ {
  to = section[substr($2, 1, length($2) - 8)]
  if (to == "") next
  # Of a function's frame: its code, then its table of exceptions.
  if (frames && kind[to] == ".text") { code = to; next }
  edges[frames ? code : from] = edges[frames ? code : from] " " to
}

function visit(start, mark,    todo, top, at, i, n, after) {
  todo[top = 1] = start
  while (top) {
    at = todo[top--]
    if (seen[at] == mark) continue
    seen[at] = mark
    reached[at] = reached[at] " " mark
    n = split(edges[at], after, " ")
    for (i = 1; i <= n; i++) todo[++top] = after[i]
  }
}

END {
  for (k = 1; k <= roots; k++) visit(defined[root[k]], k)
  for (s = 1; s <= last; s++) if (name[s] ~ /^\.(pre)?init_array|^\.fini_array/) visit(s, "start")
  for (s = 1; s <= last; s++) {
    if (!(s in kind)) continue
    group = kind[s] " " reached[s]
    if (!(group in place)) { place[group] = ++groups; of[groups] = kind[s] }
    list[place[group]] = list[place[group]] "\n    *(" name[s] ")"
  }
  print "SECTIONS {"
  for (g = 1; g <= groups; g++) print "  " of[g] "." g " : {" list[g] "\n  }"
  print "}"
}
