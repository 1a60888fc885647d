#!/usr/bin/env bash
# Provides PostgreSQL 15 with PostGIS for the conformance suite and benchmarks: Debian's, in a temporary folder. Installs
# PgBouncer, HAProxy and Redis for tests and fault tests, Prometheus, whose tool checks metrics and alert
# rules, and shells for the tests of completion. The services that the packages start are not used.
#
#   .ci/postgres.sh install     installs missing packages (root)
#   .ci/postgres.sh start       installs, starts a new cluster, prints only its URL on stdout
#   .ci/postgres.sh stop URL    stops that cluster and removes its data
set -euo pipefail

packages=(postgresql-15 postgresql-15-postgis-3 postgresql-client-15 pgbouncer haproxy redis-server wrk prometheus locales zsh fish)
programs=/usr/lib/postgresql/15/bin

say() { echo "postgres.sh: $*" >&2; }
die() { say "$*"; exit 1; }

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
has_locale() { locale -a 2>/dev/null | grep -qiE '^en_US\.utf-?8$'; }

install_missing() {
  command -v dpkg-query >/dev/null || die "needs Debian 12; elsewhere pass --pg-url with a PostgreSQL 15 that has PostGIS"
  local missing=()
  for package in "${packages[@]}"; do is_installed "$package" || missing+=("$package"); done
  if [ ${#missing[@]} -gt 0 ]; then
    [ "$(id -u)" = 0 ] || die "these packages are missing, install them as root: ${missing[*]}"
    say "installing ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq -o Acquire::Retries=3 </dev/null >&2
    apt-get install -y -qq --no-install-recommends -o Acquire::Retries=3 "${missing[@]}" </dev/null >&2
  fi
  # Some cases print columns of type money in this locale.
  if ! has_locale; then
    [ "$(id -u)" = 0 ] || die "the locale is missing, create it as root: localedef -i en_US -f UTF-8 en_US.UTF-8"
    localedef -i en_US -f UTF-8 en_US.UTF-8
  fi
}

# PostgreSQL refuses to run as root. From `/`, because the account may not be able to enter the current folder.
as_account() {
  if [ "$(id -u)" = 0 ]; then (cd / && setpriv --reuid=postgres --regid=postgres --init-groups "$@"); else "$@"; fi
}

folder_of() { echo "${TMPDIR:-/tmp}/engine-ci-postgres-$1"; }

# Prints a port below the ephemeral range. Creating the folder of that name reserves it.
reserve_port() {
  local port attempt
  for attempt in $(seq 100); do
    port=$((20000 + RANDOM % 10000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && continue
    mkdir -m 700 "$(folder_of "$port")" 2>/dev/null || continue
    echo "$port"
    return
  done
  die "no free port and folder found in $attempt attempts; is ${TMPDIR:-/tmp} writable?"
}

start() {
  install_missing
  local port folder
  port=$(reserve_port)
  folder=$(folder_of "$port")
  if [ "$(id -u)" = 0 ]; then chown postgres:postgres "$folder"; fi
  if ! launch "$port" "$folder" >&2; then
    tail -n 30 "$folder/log" >&2 || true
    stop_folder "$folder"
    die "PostgreSQL did not start"
  fi
  echo "postgres://postgres@127.0.0.1:$port/postgres"
}

launch() {
  local port=$1 folder=$2
  as_account "$programs/initdb" --auth=trust --username=postgres --encoding=UTF8 --locale=C.UTF-8 --no-sync \
    --pgdata="$folder/data" >/dev/null || return 1
  as_account tee -a "$folder/data/postgresql.conf" >/dev/null <<CONF || return 1
port = $port
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 500
shared_buffers = 256MB
fsync = off
synchronous_commit = off
full_page_writes = off
timezone = 'UTC'
CONF
  as_account "$programs/pg_ctl" --pgdata="$folder/data" --log="$folder/log" --wait --silent start
}

stop_folder() {
  # The data is deleted next, so the cluster need not write it.
  if [ -e "$1/data/postmaster.pid" ]; then
    as_account "$programs/pg_ctl" --pgdata="$1/data" --mode=immediate --wait --silent stop >&2 || true
  fi
  rm -rf "$1"
}

stop() {
  local port
  port=$(sed -nE 's#^postgres://[^/]*:([0-9]+)/.*#\1#p' <<<"$1")
  [ -n "$port" ] || die "not a URL printed by start: $1"
  [ -d "$(folder_of "$port")" ] || die "no cluster started by this script on port $port"
  stop_folder "$(folder_of "$port")"
}

case "${1:-}" in
  install) install_missing ;;
  start) start ;;
  stop) [ $# -eq 2 ] || die "stop needs the URL printed by start"; stop "$2" ;;
  *) die "usage: .ci/postgres.sh install | start | stop URL" ;;
esac
