#!/usr/bin/env bash
# Installs what C needs: header, libraries, pkg-config and CMake files, manual page; and what they are
# made of, with the licences.
#   install.sh <libroundworks.a as Cargo made it> <version>
# PREFIX, LIBDIR, INCLUDEDIR, MANDIR, DOCDIR and DESTDIR say where, CC, LD, NM, AR, OBJCOPY and READELF with what.
set -euo pipefail

archive=$(realpath "$1") version=$2
here=$(cd "$(dirname "$0")" && pwd) root=$(cd "$(dirname "$0")/../../.." && pwd)
: "${PREFIX:=/usr/local}" "${DESTDIR:=}"
: "${LIBDIR:=$PREFIX/lib}" "${INCLUDEDIR:=$PREFIX/include}" "${MANDIR:=$PREFIX/share/man}"
: "${DOCDIR:=$PREFIX/share/doc/roundworks}"
: "${CC:=cc}" "${LD:=ld}" "${NM:=nm}" "${AR:=ar}" "${OBJCOPY:=objcopy}" "${READELF:=readelf}"
# Before 1.0 a new minor version may change the interface.
interface=${version%%.*}
[ "$interface" -gt 0 ] || interface=${version%.*}
soname=libroundworks.so.$interface
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Cargo's archive is all of Rust's standard library with its debug information and bitcode. One
# object is made of what our functions reach. Its code stays in sections, so that a program that is
# linked with --gc-sections keeps the ciphers that it uses only; what the same functions reach shares
# one, and Rust's long names, which nobody needs, become short.
cd "$work"
"$NM" --defined-only --extern-only "$archive" 2>/dev/null |
  awk '$2 == "T" && $3 ~ /^roundworks_/ { print $3 }' | sort -u > names
[ -s names ] || { echo "install-c: $archive: no function of Roundworks in it; build roundworks-capi first" >&2; exit 1; }
sed 's/^/--undefined=/' names > roots
"$LD" -r --gc-sections --strip-debug @roots --whole-archive "$archive" -o all.o
"$READELF" --wide --sections --symbols all.o > sections
"$READELF" --wide --relocs all.o > relocations
awk -f "$here/group.awk" names sections relocations > groups.ld
"$LD" -r -T groups.ld all.o -o grouped.o
"$OBJCOPY" --keep-global-symbols=names --strip-unneeded --remove-section=.llvmbc \
  --remove-section=.llvmcmd --remove-section=.comment grouped.o named.o
"$READELF" --wide --symbols named.o |
  awk -v digits=0123456789abcdefghijklmnopqrstuvwxyz '
    # A digit first, as no name of C has.
    function short(n,    name) {
      for (name = n % 10; n = int(n / (name ~ /^.$/ ? 10 : 36)); ) name = name substr(digits, n % 36 + 1, 1)
      return name
    }
    $5 == "LOCAL" && $4 != "SECTION" && $8 != "" && !seen[$8]++ { print $8, short(count++) }' > short
"$OBJCOPY" --redefine-syms=short named.o roundworks.o
"$AR" rcD libroundworks.a roundworks.o

sed "s|@INTERFACE@|$interface|" "$here/roundworks.map.in" > roundworks.map
"$CC" -shared roundworks.o -o "$soname" -Wl,-soname,"$soname" \
  -Wl,--version-script,roundworks.map -Wl,--gc-sections -Wl,-z,relro,-z,now -Wl,--strip-all \
  -Wl,--as-needed -Wl,-z,defs -lgcc_s -lpthread -lm -ldl -lc

fill() {
  sed -e "s|@PREFIX@|$PREFIX|" -e "s|@LIBDIR@|$LIBDIR|" -e "s|@INCLUDEDIR@|$INCLUDEDIR|" \
    -e "s|@FROM_LIBDIR@|$(realpath -m --relative-to="$LIBDIR" "$INCLUDEDIR")|" \
    -e "s|@VERSION@|$version|" -e "s|@SONAME@|$soname|" "$here/$1" > "$work/${1%.in}"
}
put() { install -D -m 644 "$1" "$DESTDIR$2/$(basename "$1")"; }
for file in roundworks.pc.in roundworksConfig.cmake.in roundworksConfigVersion.cmake.in; do fill "$file"; done
put "$here/../include/roundworks.h" "$INCLUDEDIR"
put libroundworks.a "$LIBDIR"
install -D -m 644 "$soname" "$DESTDIR$LIBDIR/libroundworks.so.$version"
ln -sfn "libroundworks.so.$version" "$DESTDIR$LIBDIR/$soname"
ln -sfn "$soname" "$DESTDIR$LIBDIR/libroundworks.so"
put roundworks.pc "$LIBDIR/pkgconfig"
put roundworksConfig.cmake "$LIBDIR/cmake/roundworks"
put roundworksConfigVersion.cmake "$LIBDIR/cmake/roundworks"
put "$here/roundworks.3" "$MANDIR/man3"
bash "$root/tools/sbom.sh" roundworks-capi "pkg:generic/libroundworks@$version" > libroundworks.cdx.json
for file in libroundworks.cdx.json "$root"/LICENSE-*; do put "$file" "$DOCDIR"; done
