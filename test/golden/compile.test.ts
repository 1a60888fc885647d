/**
 * Output of the compiler, byte for byte. A case is a folder with `metadata.yaml`, the Shape of the database it is
 * about (`shape.json`, made from `schema.sql` by `test/integration/shapes.test.ts`; of several, an object by their
 * names), and the files that come out below `expected/`; `features.json` lists experimental features, `remotes/<name>.graphql` is what the server of a remote schema
 * offers. `generated/` of the repository is the case of the sample
 * library.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { buildSchema, introspectionFromSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { readRemoteShape } from "../../compiler/1-introspect/read-remote-shape.ts";
import { analyze } from "../../compiler/2-analyze/analyze.ts";
import { type Catalog, emptyCatalog } from "../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../compiler/catalog/upgrade.ts";
import { readShapeFile } from "../../runtime/cli/compile/shape-file.ts";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { compileAnalysis } from "../../runtime/control/compile-analysis.ts";
import { must } from "../support/compiled.ts";
import { casesBelow, expectGolden, type Files } from "../support/golden.ts";
import { sharedCode } from "../support/shared-code.ts";

const repository = join(import.meta.dirname, "../..");
const root = join(import.meta.dirname, "compile");

/** What the compiler makes of the metadata of the only source, or of none. */
async function compileFiles(metadata: string, shape: string, features: readonly string[] = []): Promise<Files> {
  const catalog = must(readMetadataDocument((await readMetadataDirectory(metadata)).metadata, emptyCatalog));
  const saved = existsSync(shape) ? await readShapeFile(shape) : undefined;
  const introspections = new Map(
    catalog.sources.flatMap(({ name }) => {
      const found = saved?.kind === "one" ? saved.shape : saved?.shapes.get(name);
      return found ? [[name, { shape: found }] as const] : [];
    }),
  );
  const options = {
    // What a case names in its webhooks; no value of it may stand in a module.
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
  return new Map(planned.paths().map((path) => [path, planned.module(path).text]));
}

/** What the servers of remote schemas offer, by the first words of their names. */
async function remotesOf({ remote_schemas }: Catalog, folder: string) {
  const found = remote_schemas.map(async ({ name }) => {
    const sdl = await readFile(join(folder, `${name.split(" ")[0]}.graphql`), "utf8");
    const { __schema } = introspectionFromSchema(buildSchema(sdl));
    return [name, readRemoteShape(JSON.parse(JSON.stringify(__schema)))] as const;
  });
  return new Map(await Promise.all(found));
}

async function featuresOf(path: string): Promise<readonly string[]> {
  return existsSync(path) ? JSON.parse(await readFile(path, "utf8")) : [];
}

describe("compile", async () => {
  it.each(await casesBelow(root, "metadata.yaml"))("%s", async (name) => {
    const folder = join(root, name);
    const features = await featuresOf(join(folder, "features.json"));
    const files = await compileFiles(join(folder, "metadata.yaml"), join(folder, "shape.json"), features);
    await expectGolden(join(folder, "expected"), files);
  });

  it("generated/ is the sample library", async () => {
    const library = join(repository, "fixtures/library");
    const files = await compileFiles(join(library, "metadata"), join(library, "shape.json"));
    await expectGolden(join(repository, "generated"), files);
  });

  it("type-checks", async () => {
    const compiler = join(repository, "node_modules/.bin/tsc");
    const run = promisify(execFile)(compiler, ["--project", import.meta.dirname], { encoding: "utf8" });
    const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
    expect(stdout).toBe("");
  }, 120_000);
});
