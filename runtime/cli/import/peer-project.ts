/** Finds the settings, metadata, migrations and seeds of a project of the original engine, of any version. */
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Json } from "../../../compiler/catalog/model.ts";
import { Locations } from "../../metadata-text/locations.ts";
import { EngineError, pathTo } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { FileLoader, isBelow } from "../metadata-directory/load-files.ts";
import type { Finding } from "./findings.ts";
import { nhostFindings, nhostFolder, nhostSettings } from "./nhost-project.ts";
import { ourVariable } from "./peer-names.ts";

export interface PeerProject {
  /** A metadata directory, or one file. */
  readonly metadataPath: string | undefined;
  readonly endpoint: string | undefined;
  /** The version of the original engine in a container file. */
  readonly version: PeerVersion | undefined;
  /** Settings of `config.yaml` that are not imported. */
  readonly leftOut: readonly Finding[];
  readonly migrations: readonly PeerFile[];
  readonly seeds: readonly PeerFile[];
}

/** A version of the original engine that a project names. */
export interface PeerVersion {
  /** For example `v2.36.0`. */
  readonly text: string;
  /** File and line. */
  readonly place: string;
}

/** A file of migrations or seeds. */
export interface PeerFile {
  readonly path: string;
  /** Path below `migrations` or `seeds` of the new project, which has a folder for each database. */
  readonly target: string;
}

/**
 * @param root project directory with `config.yaml` of any version, project directory of Nhost, metadata directory, or
 * metadata file
 * @throws EngineError `not-found` if there is no project
 */
export async function readPeerProject(root: string): Promise<PeerProject> {
  const kind = await kindOf(root);
  if (kind === "file") {
    return { metadataPath: root, endpoint: undefined, version: undefined, leftOut: [], migrations: [], seeds: [] };
  }
  const path = await projectFolder(root);
  await refuseExternalLink(root, path);
  const { config, leftOut } = await readConfig(root, path);
  const folder = (key: string, defaultPath: string): string => {
    const value = config[key];
    const below = typeof value === "string" ? value : defaultPath;
    // The project may be untrusted: its paths must not copy the user's other files into the result.
    if (!isBelow(path, resolve(path, below))) {
      throw new EngineError(
        "bad-request",
        "$",
        `${join(path, "config.yaml")}: ${key}: ${below} is not inside the project`,
      );
    }
    return join(path, below);
  };
  const metadata = folder("metadata_directory", "metadata");
  const migrationsFolder = folder("migrations_directory", "migrations");
  const found = (await kindOf(metadata)) === undefined ? await metadataBeside(path, migrationsFolder) : metadata;
  const seedsFolder = folder("seeds_directory", "seeds");
  for (const each of [found ?? metadata, migrationsFolder, seedsFolder]) await refuseExternalLink(path, each);
  const migrations = (await filesBelow(migrationsFolder)).filter((file) => file.path !== found);
  const seeds = await filesBelow(seedsFolder);
  if (found === undefined && config.metadata_directory !== undefined) {
    const file = relative(root, join(path, "config.yaml"));
    const hint = didYouMean(basename(metadata), await readdir(dirname(metadata)).catch(() => []));
    const message = `${file}: metadata_directory: ${relative(root, metadata)} does not exist`;
    throw new EngineError("not-found", "$", hint === undefined ? message : `${message}: ${hint}`);
  }
  if (found === undefined && migrations.length === 0) {
    const expected = "a folder with config.yaml, metadata/ or migrations/, or a metadata directory or file";
    throw new EngineError("not-found", "$", `${path} is not a project: expected ${expected}`);
  }
  await refuseExternalLink(root, join(path, nhostSettings));
  const environment = await environmentFiles(root);
  leftOut.push(...(await nhostFindings(root, path)), ...environment.flatMap(environmentFindings));
  const { endpoint } = config;
  const address = typeof endpoint === "string" ? endpoint : undefined;
  const version = environment.flatMap(versionsIn)[0];
  return { metadataPath: found, endpoint: address, version, leftOut, migrations, seeds };
}

/** Returns the folder with the metadata and migrations: for a project of Nhost, the one in its folder. */
async function projectFolder(root: string): Promise<string> {
  const inside = join(root, nhostFolder);
  const files = [nhostSettings, "config.yaml"].map((file) => kindOf(join(inside, file)));
  const isOwn = (await kindOf(join(root, "config.yaml"))) === "file";
  return !isOwn && (await Promise.all(files)).includes("file") ? inside : root;
}

/** @throws EngineError for a symbolic link to a target outside the project */
async function refuseExternalLink(project: string, path: string): Promise<void> {
  const [root, target] = await Promise.all([project, path].map((each) => realpath(each).catch(() => undefined)));
  if (root === undefined || target === undefined || isBelow(root, target)) return;
  throw new EngineError("bad-request", "$", `${path} is a symbolic link to a target outside the project`);
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

async function readConfig(root: string, project: string): Promise<PeerConfig> {
  const locations = new Locations();
  const file = relative(root, join(project, "config.yaml"));
  const read = await new FileLoader(project, locations).read(join(root, file));
  const config = isObject<Json>(read?.value) ? read.value : {};
  const leftOut = Object.entries(reasonsLeftOut).flatMap(([key, reason]): Finding[] => {
    if (config[key] === undefined) return [];
    const line = locations.find(config, pathTo("$", key))?.line;
    return [{ kind: "todo", place: line === undefined ? file : `${file}:${line}`, message: `${key} ${reason}` }];
  });
  return { config, leftOut };
}

const secretText = "is a secret and left out: set ENGINE_GRAPHQL_ADMIN_SECRET, for example in .env";
/** Omits `actions`, which configures code generators of the original command line. */
const reasonsLeftOut: Readonly<Record<string, string>> = {
  admin_secret: secretText,
  admin_secrets: secretText,
  insecure_skip_tls_verify: "is left out: set it in config.yaml to accept any TLS certificate of the server",
  certificate_authority: "is left out: copy the file, and set its path in config.yaml",
};

/**
 * Finds the metadata of a project: a metadata directory, or an exported file in the folder or, as in version 1, among
 * the migrations.
 */
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
 * Adds the folder `default` for projects of version 2, which have one database. Early projects have files such as
 * `1_a.up.sql` instead of a folder for each migration.
 */
async function filesBelow(folder: string): Promise<readonly PeerFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
    .map((below) => {
      const parts = below.replace(/(^|[\\/])(\d+_[^\\/]*)\.(up|down)\.(sql|yaml)$/, "$1$2/$3.$4").split(/[\\/]/);
      const lacksDatabase = /^\d+_/.test(parts[0] ?? "");
      return { path: join(folder, below), target: lacksDatabase ? join("default", ...parts) : join(...parts) };
    });
}

// Lists variables of the original server in environment and container files, with their new names. Values are not read.

const names = /^(?:\.env.*|\.secrets|.*\.env|(?:docker-)?compose.*\.ya?ml|Dockerfile.*)$/i;

/** Maximum length of an environment file. Longer files are ignored. */
const maxFileLength = 1024 * 1024;

interface EnvironmentFile {
  readonly file: string;
  /** Without comments. */
  readonly lines: readonly string[];
}

async function environmentFiles(project: string): Promise<readonly EnvironmentFile[]> {
  const entries = await readdir(project, { withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && names.test(entry.name)).map(({ name }) => name);
  const texts = await Promise.all(
    files.sort().map(async (file) => ({ file, text: await readFile(join(project, file), "utf8") })),
  );
  return texts
    .filter(({ text }) => text.length <= maxFileLength)
    .map(({ file, text }) => ({ file, lines: text.split("\n").map((line) => line.replace(/#.*$/, "")) }));
}

function environmentFindings({ file, lines }: EnvironmentFile): readonly Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const [index, line] of lines.entries()) {
    for (const [variable] of line.matchAll(/\bHASURA_GRAPHQL_\w+/g)) {
      if (seen.has(variable)) continue;
      seen.add(variable);
      findings.push({ kind: "todo", place: `${file}:${index + 1}`, message: advice(variable) });
    }
  }
  return findings;
}

/** Finds images such as `hasura/graphql-engine:v2.36.0`. */
function versionsIn({ file, lines }: EnvironmentFile): readonly PeerVersion[] {
  return lines.flatMap((line, index) => {
    const [, text] = /\bgraphql-engine:(v\d{1,4}\.\d{1,4}\.\d{1,4})\b/.exec(line) ?? [];
    return text === undefined ? [] : [{ text, place: `${file}:${index + 1}` }];
  });
}

function advice(variable: string): string {
  const ours = ourVariable(variable);
  return ours === undefined ? `${variable} has no equivalent` : `rename ${variable} to ${ours}`;
}
