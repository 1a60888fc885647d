/** A project of the other engine as files: its settings, metadata, migrations and seeds, wherever its version has them. */
import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { Json } from "../../../compiler/catalog/model.ts";
import { EngineError, pathTo } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { FileLoader, isBelow } from "../metadata-directory/load-files.ts";
import { Locations } from "../metadata-directory/locations.ts";
import { environmentFindings } from "./environment-files.ts";
import type { Finding } from "./findings.ts";

export interface PeerProject {
  /** A metadata directory, or one file. */
  readonly metadataPath: string | undefined;
  readonly endpoint: string | undefined;
  /** Settings of `config.yaml` that ours does not get, and what becomes of them. */
  readonly leftOut: readonly Finding[];
  readonly migrations: readonly PeerFile[];
  readonly seeds: readonly PeerFile[];
}

/** A file of migrations or seeds. */
export interface PeerFile {
  readonly path: string;
  /** Below `migrations` or `seeds` of our projects, which have a folder for each database. */
  readonly target: string;
}

/**
 * @param path the folder of a project with `config.yaml` of any version, a metadata directory, or one file of metadata
 * @throws EngineError `not-found` when there is nothing of the kind
 */
export async function readPeerProject(path: string): Promise<PeerProject> {
  const kind = await kindOf(path);
  if (kind === "file") return { metadataPath: path, endpoint: undefined, leftOut: [], migrations: [], seeds: [] };
  const { config, leftOut } = await readConfig(path);
  const folder = (key: string, usual: string): string => {
    const value = config[key];
    const below = typeof value === "string" ? value : usual;
    // A project may be a stranger's: what it names must not bring files of the reader into the result.
    if (!isBelow(path, resolve(path, below))) {
      throw new EngineError(
        "bad-request",
        "$",
        `${join(path, "config.yaml")}: ${key}: ${below} is outside of the project`,
      );
    }
    return join(path, below);
  };
  const metadata = folder("metadata_directory", "metadata");
  const migrationsFolder = folder("migrations_directory", "migrations");
  const found = (await kindOf(metadata)) === undefined ? await metadataBeside(path, migrationsFolder) : metadata;
  const seedsFolder = folder("seeds_directory", "seeds");
  for (const place of [found ?? metadata, migrationsFolder, seedsFolder]) await refuseWayOut(path, place);
  const migrations = (await filesBelow(migrationsFolder)).filter((file) => file.path !== found);
  const seeds = await filesBelow(seedsFolder);
  if (found === undefined && migrations.length === 0) {
    const expected = "config.yaml, metadata/ or migrations/, or is a metadata directory or file";
    throw new EngineError("not-found", "$", `there is no project in ${path}: expected that it has ${expected}`);
  }
  leftOut.push(...(await environmentFindings(path)));
  const { endpoint } = config;
  const address = typeof endpoint === "string" ? endpoint : undefined;
  return { metadataPath: found, endpoint: address, leftOut, migrations, seeds };
}

/** A link may lead anywhere. @throws EngineError */
async function refuseWayOut(project: string, place: string): Promise<void> {
  const [root, target] = await Promise.all([project, place].map((each) => realpath(each).catch(() => undefined)));
  if (root === undefined || target === undefined || isBelow(root, target)) return;
  throw new EngineError("bad-request", "$", `${place} is a link that leads out of the project`);
}

async function kindOf(path: string): Promise<"file" | "folder" | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  return found.isDirectory() ? "folder" : "file";
}

interface PeerConfig {
  readonly config: Readonly<Record<string, Json>>;
  readonly leftOut: Finding[];
}

async function readConfig(project: string): Promise<PeerConfig> {
  const locations = new Locations();
  const file = "config.yaml";
  const read = await new FileLoader(project, locations).read(join(project, file));
  const config = isObject<Json>(read?.value) ? read.value : {};
  const leftOut = Object.entries(whyLeftOut).flatMap(([key, why]): Finding[] => {
    if (config[key] === undefined) return [];
    const line = locations.find(config, pathTo("$", key))?.line;
    return [{ kind: "todo", place: line === undefined ? file : `${file}:${line}`, message: `${key} ${why}` }];
  });
  return { config, leftOut };
}

const secretText = "is a secret and left out: set ENGINE_GRAPHQL_ADMIN_SECRET, in .env for example";
/** `actions` is for the code generators of the other command line. */
const whyLeftOut: Readonly<Record<string, string>> = {
  admin_secret: secretText,
  admin_secrets: secretText,
  insecure_skip_tls_verify: "is left out: set it again if the server's certificate is not to be checked",
  certificate_authority: "is left out: copy the file, and set it again",
};

/** The folder may be a metadata directory itself, or hold an exported file. Projects of version 1 had it with the migrations. */
async function metadataBeside(path: string, migrations: string): Promise<string | undefined> {
  for (const file of ["version.yaml", "tables.yaml", "databases/databases.yaml"]) {
    if ((await kindOf(join(path, file))) === "file") return path;
  }
  for (const file of ["metadata.json", "metadata.yaml", "hasura_metadata.json"]) {
    if ((await kindOf(join(path, file))) === "file") return join(path, file);
  }
  for (const file of ["metadata.yaml", "metadata.json"]) {
    if ((await kindOf(join(migrations, file))) === "file") return join(migrations, file);
  }
  return undefined;
}

/**
 * Projects of version 2 have one database, and no folder for it. Early ones have files such as `1_a.up.sql` in place of
 * a folder for each migration.
 */
async function filesBelow(folder: string): Promise<readonly PeerFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
    .map((below) => {
      const parts = below.replace(/(^|[\\/])(\d+_[^\\/]*)\.(up|down)\.(sql|yaml)$/, "$1$2/$3.$4").split(/[\\/]/);
      const isOfNoDatabase = /^\d+_/.test(parts[0] ?? "");
      return { path: join(folder, below), target: isOfNoDatabase ? join("default", ...parts) : join(...parts) };
    });
}
