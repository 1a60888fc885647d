/**
 * Output of the compiler, byte for byte. A case is a folder with `metadata.yaml`, the Shape of its source (`shape.json`,
 * made from `schema.sql` by `test/integration/shapes.test.ts`; an object by name for several sources) or, for SQL Server,
 * the `schema.mssql.sql` that it is read from, and the generated files in `expected/`. `features.json` lists experimental features; `remotes/<name>.graphql` is the schema of a remote
 * schema. SDL is stored only in cases about it: `sdl.json` names the files to store, with the definitions of each, or
 * `"all"`. The folder `generated/` of the repository is the case of the sample library, with the SDL of one role.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { buildSchema, introspectionFromSchema, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { readRemoteShape } from "../../compiler/1-introspect/read-remote-shape.ts";
import { analyze } from "../../compiler/2-analyze/analyze.ts";
import { type Catalog, emptyCatalog } from "../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../compiler/catalog/upgrade.ts";
import { readShapeFile, type SavedShapes } from "../../runtime/cli/compile/shape-file.ts";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { compileAnalysis } from "../../runtime/control/compile-analysis.ts";
import { must } from "../support/compiled.ts";
import { casesBelow, expectGolden, type Files } from "../support/golden.ts";
import { expectSameProgram } from "../support/module-code.ts";
import { shapeOfDdl } from "../support/mssql-ddl.ts";
import { sharedCode } from "../support/shared-code.ts";

const repository = join(import.meta.dirname, "../..");
const root = join(import.meta.dirname, "compile");

/** Returns the compiler's output for metadata with at most one source. */
async function compileFiles(metadata: string, shape: string, features: readonly string[] = []): Promise<Files> {
  const catalog = must(readMetadataDocument((await readMetadataDirectory(metadata)).metadata, emptyCatalog));
  const saved = await shapesOf(shape);
  const introspections = new Map(
    catalog.sources.flatMap(({ name }) => {
      const found = saved?.kind === "one" ? saved.shape : saved?.shapes.get(name);
      return found ? [[name, { shape: found }] as const] : [];
    }),
  );
  const options = {
    // Environment variables in webhooks of the cases; their values must not occur in a module.
    environment: {
      CHECK_KEY: "value of CHECK_KEY",
      CHECK_PATH: "https://value.of.check.path",
      PETS_HOST: "value.of.pets.host",
    },
    experimentalFeatures: new Set(["naming_convention", ...features]),
    defaultNamingConvention: "engine-default",
    inferFunctionPermissions: true,
    remoteSchemaPermissions: true,
  } as const;
  const planning = { stringifyNumbers: false, nullCollapse: false };
  const remoteIntrospections = await remotesOf(catalog, join(dirname(metadata), "remotes"));
  const found = must(analyze({ catalog, introspections, remoteIntrospections, options }));
  const { analysis, planned } = compileAnalysis({ analysis: found, planning, code: sharedCode });
  expect(analysis.inconsistencies).toEqual([]);
  for (const path of planned.paths().filter((path) => path.endsWith(".ts"))) {
    const { code, text } = planned.module(path);
    expectSameProgram(code, text, path);
  }
  return new Map(planned.paths().map((path) => [path, planned.file(path).text]));
}

/** Returns the saved Shapes, or the Shape of the SQL Server schema beside the absent file. */
async function shapesOf(path: string): Promise<SavedShapes | undefined> {
  if (existsSync(path)) return readShapeFile(path);
  const ddl = join(dirname(path), "schema.mssql.sql");
  return existsSync(ddl) ? { kind: "one", shape: await shapeOfDdl(await readFile(ddl, "utf8")) } : undefined;
}

/** Returns the schemas of the remote servers, by the first words of their names. */
async function remotesOf({ remote_schemas }: Catalog, folder: string) {
  const found = remote_schemas.map(async ({ name }) => {
    const sdl = await readFile(join(folder, `${name.split(" ")[0]}.graphql`), "utf8");
    const { __schema } = introspectionFromSchema(buildSchema(sdl));
    return [name, readRemoteShape(JSON.parse(JSON.stringify(__schema)))] as const;
  });
  return new Map(await Promise.all(found));
}

async function readOptional<T>(path: string, absent: T): Promise<T> {
  return existsSync(path) ? JSON.parse(await readFile(path, "utf8")) : absent;
}

/** The definitions to compare in each SDL file. */
type KeptSdl = Readonly<Record<string, "all" | readonly string[]>>;

/**
 * Returns all files except SDL, and the definitions of SDL files listed in `kept`.
 * @throws Error naming a file or definition that the compiler does not emit
 */
function withKeptSdl(files: Files, kept: KeptSdl): Files {
  const excerpts = Object.entries(kept).map(([path, names]) => {
    const sdl = files.get(path);
    if (sdl === undefined) throw new Error(`sdl.json: the compiler does not write ${path}`);
    return [path, names === "all" ? sdl : definitionsOf(sdl, names, path)] as const;
  });
  return new Map([...[...files].filter(([path]) => !path.endsWith(".graphql")), ...excerpts]);
}

function definitionsOf(sdl: string, names: readonly string[], path: string): string {
  const found = new Map(
    parse(sdl).definitions.flatMap((definition) =>
      "name" in definition && definition.name !== undefined && definition.loc !== undefined
        ? [[definition.name.value, sdl.slice(definition.loc.start, definition.loc.end)] as const]
        : [],
    ),
  );
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`sdl.json: ${path} does not define ${missing.join(", ")}`);
  return `${names.map((name) => found.get(name)).join("\n\n")}\n`;
}

describe("Compilation", async () => {
  it.each(await casesBelow(root, "metadata.yaml"))("Compilation produces the golden files: %s", async (name) => {
    const folder = join(root, name);
    const features = await readOptional<readonly string[]>(join(folder, "features.json"), []);
    const files = await compileFiles(join(folder, "metadata.yaml"), join(folder, "shape.json"), features);
    const kept = await readOptional<KeptSdl>(join(folder, "sdl.json"), {});
    await expectGolden(join(folder, "expected"), withKeptSdl(files, kept));
  });

  it("The folder generated/ equals the compiled sample library", async () => {
    const library = join(repository, "fixtures/library");
    const files = await compileFiles(join(library, "metadata"), join(library, "shape.json"));
    await expectGolden(join(repository, "generated"), withKeptSdl(files, { "roles/member/schema.graphql": "all" }));
  });

  it("All golden TypeScript files pass the type checker", async () => {
    const compiler = join(repository, "node_modules/.bin/tsc");
    const run = promisify(execFile)(compiler, ["--project", import.meta.dirname], { encoding: "utf8" });
    const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
    expect(stdout).toBe("");
  }, 120_000);
});
