/**
 * The files that `engine handlers` writes into an empty folder. A case is a folder with `metadata.yaml`, the Shape of
 * its source (`shape.json`, made from `schema.sql` by `test/integration/shapes.test.ts`), and the resulting files below
 * `expected/`. They are type-checked as a project with only zod and TypeScript.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { analyze } from "../../compiler/2-analyze/analyze.ts";
import { emptyCatalog } from "../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../compiler/catalog/upgrade.ts";
import { emitHandlers } from "../../compiler/handlers/emit-handlers.ts";
import { handlersOf } from "../../compiler/handlers/handlers-of.ts";
import { readShapeFile } from "../../runtime/cli/compile/shape-file.ts";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { must } from "../support/compiled.ts";
import { casesBelow, expectGolden, type Files } from "../support/golden.ts";
import { root as repository } from "../support/shared-checks.ts";

const root = join(import.meta.dirname, "handlers");

async function handlerFiles(folder: string): Promise<Files> {
  const { metadata } = await readMetadataDirectory(join(folder, "metadata.yaml"));
  const catalog = must(readMetadataDocument(metadata, emptyCatalog));
  const shape = join(folder, "shape.json");
  const saved = existsSync(shape) ? await readShapeFile(shape) : undefined;
  const introspections = new Map(
    catalog.sources.flatMap(({ name }) => (saved?.kind === "one" ? [[name, { shape: saved.shape }] as const] : [])),
  );
  const options = {
    environment: { HANDLERS: "http://handlers.example", NEW_SECRET: "value of NEW_SECRET", OLD_SECRET: "another" },
    experimentalFeatures: new Set<string>(),
    defaultNamingConvention: "engine-default",
    inferFunctionPermissions: true,
    remoteSchemaPermissions: true,
    stringifyNumbers: folder.endsWith("-texts"),
  } as const;
  const analysis = must(analyze({ catalog, introspections, remoteIntrospections: new Map(), options }));
  expect(analysis.inconsistencies).toEqual([]);
  return emitHandlers(handlersOf(analysis, { scalars: new Map([["Money", "number"]]) }));
}

/** The strictest settings of a project. */
const strictest = {
  target: "es2022",
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  noEmit: true,
};

describe("Generated handlers", async () => {
  const cases = await casesBelow(root, "metadata.yaml");

  it.each(cases)("The generated handlers match the golden files: %s", async (name) => {
    const folder = join(root, name);
    await expectGolden(join(folder, "expected"), await handlerFiles(folder));
  });

  it.each([
    ["no types but zod", { types: [] }],
    // The library's own declarations are checked above.
    ["the types of Node", { types: ["node"], lib: ["es2023"], skipLibCheck: true }],
  ])(
    "The generated handlers pass the type checker in a project with %s",
    async (_, more) => {
      const folder = await mkdtemp(join(tmpdir(), "handlers-"));
      try {
        await mkdir(join(folder, "node_modules"));
        for (const name of ["zod", ...(more.types.length === 0 ? [] : ["@types", "undici-types"])]) {
          await symlink(join(repository, "node_modules", name), join(folder, "node_modules", name));
        }
        for (const name of cases) await cp(join(root, name, "expected"), join(folder, name), { recursive: true });
        await writeFile(join(folder, "package.json"), '{ "type": "module" }');
        await writeFile(
          join(folder, "tsconfig.json"),
          JSON.stringify({ compilerOptions: { ...strictest, ...more }, include: ["*/**/*.ts"] }),
        );
        // A single checker, because each would load the same declarations.
        const options = ["--project", folder, "--checkers", "1"];
        const run = promisify(execFile)(join(repository, "node_modules/.bin/tsc"), options);
        const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
        expect(stdout).toBe("");
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    60_000,
  );
});
