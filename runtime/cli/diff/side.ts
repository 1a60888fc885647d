/** Reads the access rules and generated modules of one side of a comparison: metadata with its Shapes, or an artifact. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseAccess } from "../../../compiler/access/access-file.ts";
import type { Access } from "../../../compiler/access/model.ts";
import { accessOfProgram } from "../../control/access.ts";
import { artifactManifestPath, refuseChangedArtifact } from "../../server/sealed/verify.ts";
import { EngineError } from "../../values/errors.ts";
import { type ArtifactManifest, accessPath } from "../build/artifact-files.ts";
import { entryPaths } from "../build/entry.ts";
import { type AnalyzedInput, type AnalyzedProgram, analyzeInput } from "../compile/analyze-input.ts";
import type { Problem } from "../problem.ts";
import { version } from "../version.ts";

export interface Side {
  readonly kind: "metadata" | "artifact";
  /** Path from the command line. */
  readonly name: string;
  /** Version of the engine. */
  readonly product: string;
  readonly access: Access;
  /** For artifacts: true if only saved operations run. */
  readonly closed?: boolean;
  /** For artifacts: kinds of the sources, by name. */
  readonly sources?: ArtifactManifest["serves"]["sources"];
  /** By path. */
  readonly modules: ReadonlyMap<string, GeneratedModule>;
}

export interface GeneratedModule {
  readonly hash: string;
  /** `undefined` if an artifact does not import the module and therefore does not contain it. */
  readonly text: string | undefined;
}

/**
 * Returns the side or, for invalid metadata, one line for each error.
 * @throws EngineError if files cannot be read, or an artifact has been modified
 */
export async function readSide(input: AnalyzedInput): Promise<Side | { readonly problems: readonly Problem[] }> {
  return (await isArtifact(input.metadata)) ? readArtifact(input) : readMetadata(input);
}

/** Returns true if a path is the folder of an artifact. */
export async function isArtifact(folder: string): Promise<boolean> {
  const found = await stat(join(folder, "server.mjs")).catch(() => undefined);
  return found?.isFile() === true;
}

async function readMetadata(input: AnalyzedInput): Promise<Side | { readonly problems: readonly Problem[] }> {
  const analyzed = await analyzeInput(input);
  return "problems" in analyzed ? analyzed : sideOf(input.metadata, analyzed);
}

export function sideOf(name: string, analyzed: AnalyzedProgram): Side {
  const { planned } = analyzed;
  const modules = planned.paths().filter(isModule);
  return {
    kind: "metadata",
    name,
    product: version,
    access: accessOfProgram(analyzed),
    modules: new Map(modules.map((path) => [path, planned.file(path)])),
  };
}

/** @throws EngineError for a modified artifact, and for one without a readable access file */
export async function readArtifact({ metadata: folder, shape }: AnalyzedInput): Promise<Side> {
  if (shape !== undefined) {
    throw new EngineError("invalid-params", "$", `${folder} is an artifact, which includes its shape: remove --shape`);
  }
  refuseChangedArtifact(folder);
  const textOf = (path: string): Promise<string> => readFile(join(folder, path), "utf8");
  const manifest = JSON.parse(await textOf(artifactManifestPath)) as ArtifactManifest;
  const { product, serves, modules, files } = manifest;
  if (!(accessPath in files)) {
    const message = `artifact ${folder} of version ${product} has no ${accessPath}: build it again`;
    throw new EngineError("not-supported", "$", message);
  }
  const access = parseAccess(await textOf(accessPath));
  if (access === undefined) {
    throw new EngineError(
      "not-supported",
      "$",
      `${folder}/${accessPath} has a format that version ${version} does not support`,
    );
  }
  const texts = new Map<string, string>();
  for (const path of Object.keys(files)) {
    if (!path.endsWith(".map")) continue;
    for (const [module, text] of modulesOfMap(JSON.parse(await textOf(path)))) texts.set(module, text);
  }
  const listed = Object.entries(modules).filter(([path]) => isModule(path));
  return {
    kind: "artifact",
    name: folder,
    product,
    access,
    closed: serves.closed,
    sources: serves.sources,
    modules: new Map(listed.map(([path, hash]) => [path, { hash, text: texts.get(path) }])),
  };
}

const isModule = (path: string): boolean => path.endsWith(".ts");

/** Yields the generated modules in a source map. */
function* modulesOfMap(map: unknown): Iterable<readonly [string, string]> {
  const { sources, sourcesContent }: { readonly sources?: unknown; readonly sourcesContent?: unknown } = Object(map);
  if (!Array.isArray(sources) || !Array.isArray(sourcesContent)) return;
  for (const [i, source] of sources.entries()) {
    const text: unknown = sourcesContent[i];
    const path = /^generated:(.*)$/.exec(String(source))?.[1];
    if (path !== undefined && path !== entryPaths.server && typeof text === "string") yield [path, text];
  }
}
