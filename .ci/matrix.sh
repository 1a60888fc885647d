#!/usr/bin/env bash
# Runs tests with each supported version of Node, or of PostgreSQL.
#
#   .ci/matrix.sh                                all tests, on Node 20, 22, 24 and 26
#   .ci/matrix.sh postgres [VERSION…] [-- TEST…]  see .ci/postgres-versions.sh
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

case "${1:-}" in
  "") exec .ci/nodes.sh 20 22 24 26 -- npm test ;;
  postgres) shift && exec .ci/postgres-versions.sh "$@" ;;
  *) echo "matrix.sh: error: expected nothing or \`postgres\`, not \`$1\`" >&2 && exit 1 ;;
esac
