#!/usr/bin/env bash
# Installs Debian's Chromium for the tests of the console if it is missing (root).
set -euo pipefail

[ -x "${CHROMIUM:-/usr/bin/chromium}" ] && exit 0
[ "$(id -u)" = 0 ] || { echo "browser.sh: chromium is missing, install it as root" >&2; exit 1; }
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq -o Acquire::Retries=3 </dev/null >&2
apt-get install -y -qq --no-install-recommends -o Acquire::Retries=3 chromium </dev/null >&2
