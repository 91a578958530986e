#!/bin/sh
# rocca chooses between AES instructions and a table when it is compiled, and only the crate that
# needs the choice is to have it: target features of a whole build would change the others too.
rustc=$1
shift
case "$(uname -m) $*" in
  "x86_64 "*"--crate-name rocca "* | "x86_64 "*"--crate-name roundworks_peer_rocca "*)
    exec "$rustc" "$@" -C target-feature=+aes,+sse4.1 ;;
esac
exec "$rustc" "$@"
