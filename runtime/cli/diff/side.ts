/** One side of a comparison: metadata with its Shapes, or an artifact → what it allows, and its generated modules. */
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
import { version } from "../version.ts";

export interface Side {
  readonly kind: "metadata" | "artifact";
  /** As it was given. */
  readonly name: string;
  /** Version of the product. */
  readonly product: string;
  readonly access: Access;
  /** Of an artifact: only saved operations run. */
  readonly closed?: boolean;
  /** By path. */
  readonly modules: ReadonlyMap<string, GeneratedModule>;
}

export interface GeneratedModule {
  readonly hash: string;
  /** `undefined`: an artifact does not hold what nothing in it imports. */
  readonly text: string | undefined;
}

/**
 * Or a line for each mistake of the metadata.
 * @throws EngineError when files cannot be read, and when an artifact is not as it was built
 */
export async function readSide(input: AnalyzedInput): Promise<Side | { readonly problems: readonly string[] }> {
  return (await isArtifact(input.metadata)) ? readArtifact(input) : readMetadata(input);
}

async function isArtifact(folder: string): Promise<boolean> {
  const found = await stat(join(folder, "server.mjs")).catch(() => undefined);
  return found?.isFile() === true;
}

async function readMetadata(input: AnalyzedInput): Promise<Side | { readonly problems: readonly string[] }> {
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
    modules: new Map(modules.map((path) => [path, planned.module(path)])),
  };
}

async function readArtifact({ metadata: folder, shape }: AnalyzedInput): Promise<Side> {
  if (shape !== undefined) {
    throw new EngineError("invalid-params", "$", `${folder} is an artifact, which was built for a shape: give none`);
  }
  refuseChangedArtifact(folder);
  const textOf = (path: string): Promise<string> => readFile(join(folder, path), "utf8");
  const manifest = JSON.parse(await textOf(artifactManifestPath)) as ArtifactManifest;
  const { product, serves, modules, files } = manifest;
  if (!(accessPath in files)) {
    const message = `the artifact ${folder} was built by version ${product}, which did not write ${accessPath} yet: build it again`;
    throw new EngineError("not-supported", "$", message);
  }
  const access = parseAccess(await textOf(accessPath));
  if (access === undefined) {
    throw new EngineError(
      "not-supported",
      "$",
      `${folder}/${accessPath} has a format that version ${version} does not know`,
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
    modules: new Map(listed.map(([path, hash]) => [path, { hash, text: texts.get(path) }])),
  };
}

const isModule = (path: string): boolean => path.endsWith(".ts");

/** The generated modules that a source map holds. */
function* modulesOfMap(map: unknown): Iterable<readonly [string, string]> {
  const { sources, sourcesContent }: { readonly sources?: unknown; readonly sourcesContent?: unknown } = Object(map);
  if (!Array.isArray(sources) || !Array.isArray(sourcesContent)) return;
  for (const [i, source] of sources.entries()) {
    const text: unknown = sourcesContent[i];
    const path = /^generated:(.*)$/.exec(String(source))?.[1];
    if (path !== undefined && path !== entryPaths.server && typeof text === "string") yield [path, text];
  }
}
