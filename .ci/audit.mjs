/**
 * `npm run audit -- --advisories <list>`: compares the packages of the lock file with advisories in the OSV format
 * (https://ossf.github.io/osv-schema/), for machines without access to a registry. The list is a JSON file with one
 * advisory or an array of them, or a folder of such files. Exit code 0: no package is affected; 1: some are; 2: the
 * comparison failed.
 */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import semver from "semver";

const usage = `Usage: npm run audit -- --advisories <file or folder> [--lock package-lock.json] [--exceptions <file>]

The list contains advisories in the OSV format. To download those of npm, on a machine with access to the internet:
  curl -O https://osv-vulnerabilities.storage.googleapis.com/npm/all.zip && unzip -q all.zip -d advisories
An exception is { "id": "GHSA-…", "package": "name", "reason": "…", "expires": "2030-01-31" }; the file is an array of them.`;

class CannotCompare extends Error {}

/** Returns the exit code. */
function main(args) {
  const { advisories: list, lock, exceptions } = optionsOf(args);
  if (list === undefined) throw new CannotCompare(usage);
  const advisories = filesOf(list).flatMap((file) => advisoriesOf(file));
  if (advisories.length === 0) throw new CannotCompare(`${list} contains no advisory\n\n${usage}`);
  const packages = packagesOf(lock);
  const newest = advisories.map(({ modified }) => modified).reduce((a, b) => (a > b ? a : b));
  const age = Math.floor((Date.now() - Date.parse(newest)) / 86_400_000);
  const { affected, excepted } = withoutExceptions(affectedOf(packages, advisories), exceptionsOf(exceptions));
  for (const { advisory, name, version, path, ...rest } of affected) {
    console.log(`${[advisory.id, ...(advisory.aliases ?? [])].join(", ")}: ${name}@${version}`);
    if (advisory.summary) console.log(`  ${advisory.summary}`);
    console.log(`  in ${path}`);
    console.log(`  ${remedy(rest)}`);
  }
  console.log(
    `${advisories.length} advisories, the newest of ${newest} (${age} days old), compared with ${packages.length} packages: ` +
      `${affected.length} affected, ${excepted.length} excepted`,
  );
  return affected.length === 0 ? 0 : 1;
}

function remedy({ fixed, problem, lastKnown }) {
  if (problem !== undefined) return `the versions of the advisory cannot be compared (${problem}): check it manually`;
  if (fixed !== undefined) return `fixed in ${fixed}`;
  const known = lastKnown === undefined ? "" : `; last known to be affected: ${lastKnown}`;
  return `no fixed version is known${known}`;
}

function optionsOf(args) {
  const text = { type: "string" };
  try {
    const options = { advisories: text, lock: { ...text, default: "package-lock.json" }, exceptions: text };
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new CannotCompare(`${error.message}\n\n${usage}`);
  }
}

function filesOf(path) {
  try {
    if (!lstatSync(path).isDirectory()) return [path];
    return readdirSync(path, { recursive: true })
      .filter((name) => name.endsWith(".json"))
      .sort()
      .map((name) => join(path, name));
  } catch (error) {
    throw new CannotCompare(`the list cannot be read: ${error.message}`);
  }
}

function advisoriesOf(file) {
  const found = [jsonOf(file)].flat();
  for (const advisory of found) {
    const isComplete = typeof advisory?.id === "string" && !Number.isNaN(Date.parse(advisory.modified));
    if (!isComplete)
      throw new CannotCompare(`${file} is not an advisory in the OSV format: it needs "id" and "modified"`);
  }
  return found;
}

function jsonOf(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new CannotCompare(`${file} cannot be read: ${error.message}`);
  }
}

/** Returns packages from a registry; an alias is listed under the name of its target. */
function packagesOf(lock) {
  const { packages } = jsonOf(lock);
  if (packages === undefined) throw new CannotCompare(`${lock} is not a lock file of npm 7 or later`);
  return Object.entries(packages).flatMap(([path, { name, version, link }]) => {
    const folder = path.split("node_modules/").at(-1);
    return path.includes("node_modules/") && version !== undefined && !link
      ? [{ path, name: name ?? folder, version }]
      : [];
  });
}

function affectedOf(packages, advisories) {
  const byName = new Map();
  for (const advisory of advisories) {
    if (advisory.withdrawn) continue;
    for (const affected of advisory.affected ?? []) {
      if (affected.package?.ecosystem !== "npm") continue;
      const { name } = affected.package;
      byName.set(name, [...(byName.get(name) ?? []), { advisory, affected }]);
    }
  }
  return packages.flatMap((found) =>
    (byName.get(found.name) ?? [])
      .map(({ advisory, affected }) => ({ ...found, advisory, ...comparison(found.version, affected) }))
      .filter(({ isAffected }) => isAffected),
  );
}

/** Reports a version that cannot be compared as affected, so that a malformed advisory cannot hide a vulnerability. */
function comparison(version, affected) {
  const { last_known_affected_version_range: lastKnown } = affected.database_specific ?? {};
  try {
    return { isAffected: isAffected(version, affected), fixed: fixOf(version, affected), lastKnown };
  } catch (error) {
    return { isAffected: true, problem: error.message };
  }
}

/** Implements "Evaluation" of the OSV schema: a version is affected if it is listed or in a range. */
function isAffected(version, { versions = [], ranges = [] }) {
  return versions.includes(version) || semverRanges(ranges).some((events) => isInRange(version, events));
}

/** Returns ranges as SemVer, which npm uses whatever type a range declares; ranges of commits do not apply to packages. */
const semverRanges = (ranges) =>
  ranges
    .filter(({ type }) => type !== "GIT")
    .map(({ events }) => {
      if (!Array.isArray(events)) throw new Error("a range has no events");
      return events.map((event) =>
        Object.fromEntries(Object.entries(event).map(([kind, version]) => [kind, versionOf(version)])),
      );
    });

/** Accepts a leading `v` and fewer than three numbers. */
function versionOf(text) {
  if (text === "0" || text === "*") return text;
  const short = /^v?(\d+)(?:\.(\d+))?$/.exec(text);
  return new semver.SemVer(short ? `${short[1]}.${short[2] ?? 0}.0` : text, { loose: true }).version;
}

function isInRange(version, events) {
  const limits = events.flatMap(({ limit }) => (limit === undefined ? [] : [limit]));
  const isBelowLimit = limits.length === 0 || limits.some((limit) => limit === "*" || semver.lt(version, limit));
  if (!isBelowLimit) return false;
  let isVulnerable = false;
  for (const { introduced, fixed, last_affected: last } of inOrder(events)) {
    if (introduced !== undefined && (introduced === "0" || semver.gte(version, introduced))) isVulnerable = true;
    if (fixed !== undefined && semver.gte(version, fixed)) isVulnerable = false;
    if (last !== undefined && semver.gt(version, last)) isVulnerable = false;
  }
  return isVulnerable;
}

function inOrder(events) {
  const place = ({ introduced, fixed, last_affected: last }) => introduced ?? fixed ?? last ?? "0";
  const key = (event) => (place(event) === "0" ? "0.0.0-0" : place(event));
  return events.filter(({ limit }) => limit === undefined).sort((a, b) => semver.compare(key(a), key(b)));
}

/** Returns the lowest fixed version above this one. */
function fixOf(version, { ranges = [] }) {
  const fixes = semverRanges(ranges).flatMap((events) => events.flatMap(({ fixed }) => fixed ?? []));
  return semver.sort(fixes.filter((fixed) => semver.gt(fixed, version)))[0];
}

function exceptionsOf(file) {
  if (file === undefined) return [];
  const exceptions = jsonOf(file);
  for (const { id, package: name, reason, expires } of exceptions) {
    const isComplete = id && name && reason && /^\d{4}-\d\d-\d\d$/.test(expires ?? "");
    if (!isComplete) throw new CannotCompare(`${file}: each exception needs "id", "package", "reason" and "expires"`);
  }
  return exceptions.filter(({ id, package: name, expires }) => {
    const isValid = Date.parse(expires) + 86_400_000 > Date.now();
    if (!isValid) console.log(`the exception for ${id} in ${name} expired on ${expires}`);
    return isValid;
  });
}

function withoutExceptions(found, exceptions) {
  const isExcepted = ({ advisory, name }) =>
    exceptions.some((exception) => {
      const ids = [advisory.id, ...(advisory.aliases ?? [])];
      return exception.package === name && ids.includes(exception.id);
    });
  return { affected: found.filter((one) => !isExcepted(one)), excepted: found.filter(isExcepted) };
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof CannotCompare ? error.message : error);
  process.exitCode = 2;
}
