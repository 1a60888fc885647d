/**
 * The module that `engine client` writes for the documents of a front end. A case is a folder with `documents/`, optional
 * `settings.json`, and the resulting file below `expected/`: the module, or the problems of invalid documents. Cases
 * share `schema.graphql`, the schema of a role, unless they have their own. `use.ts` uses the types of the module, and is type-checked with it.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildSchema } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeClients } from "../../runtime/cli/client/write-client.ts";
import type { Problem } from "../../runtime/cli/problem.ts";
import type { ClientModule } from "../../runtime/cli/project/settings.ts";
import { expectGolden, type Files } from "../support/golden.ts";
import { root as repository } from "../support/shared-checks.ts";

const root = join(import.meta.dirname, "client");

interface CaseSettings {
  readonly role?: string;
  readonly documentMode?: ClientModule["documentMode"];
  readonly stringifyNumbers?: boolean;
  readonly scalars?: Readonly<Record<string, "string" | "number">>;
}

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "client-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

async function clientFiles(folder: string, name: string): Promise<Files> {
  const ownSchema = join(folder, "schema.graphql");
  const schemaFile = existsSync(ownSchema) ? ownSchema : join(root, "schema.graphql");
  const schema = buildSchema(await readFile(schemaFile, "utf8"));
  const settingsFile = join(folder, "settings.json");
  const settings: CaseSettings = existsSync(settingsFile) ? JSON.parse(await readFile(settingsFile, "utf8")) : {};
  const { role = "admin", documentMode = "documentNode", stringifyNumbers = false, scalars = {} } = settings;
  const out = join(scratch, `${name}.ts`);
  const documents = ["documents/**/*.{graphql,gql,ts,tsx,js}"];
  const module = { folder, out, role, documents, documentMode, scalars: new Map(Object.entries(scalars)) };
  const problems: string[] = [];
  const output = {
    result: () => undefined,
    remark: () => undefined,
    done: () => undefined,
    problems: (found: readonly Problem[]) => void problems.push(...found.map(({ line }) => line)),
  };
  const source = { warnings: [], of: async () => ({ role, schema, savedOperations: [] }) };
  const environment = { ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES: String(stringifyNumbers) };
  const isWritten = await writeClients([module], source, environment, output);
  expect(isWritten).toBe(problems.length === 0);
  return isWritten
    ? new Map([["client.ts", await readFile(out, "utf8")]])
    : new Map([["problems.txt", `${problems.join("\n")}\n`]]);
}

/** The strictest settings of a project. */
const strictest = {
  target: "es2022",
  module: "nodenext",
  lib: ["es2023"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true,
  noEmit: true,
};

describe("Modules of front ends", async () => {
  const cases = (await readdir(root, { withFileTypes: true }))
    .filter((each) => each.isDirectory())
    .map(({ name }) => name);

  it.each(cases)("The module of a front end matches the golden file: %s", async (name) => {
    const folder = join(root, name);
    await expectGolden(join(folder, "expected"), await clientFiles(folder, name));
  });

  it("Programs that use the modules pass the type checker, and misuse fails it", { timeout: 60_000 }, async () => {
    const folder = join(scratch, "project");
    await mkdir(join(folder, "node_modules"), { recursive: true });
    await symlink(join(repository, "node_modules/graphql"), join(folder, "node_modules/graphql"));
    for (const name of cases) {
      await cp(join(root, name, "expected"), join(folder, name, "expected"), { recursive: true });
      if (existsSync(join(root, name, "use.ts"))) await cp(join(root, name, "use.ts"), join(folder, name, "use.ts"));
    }
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: strictest, include: ["*/**/*.ts"] }),
    );
    const options = ["--project", folder, "--checkers", "1"];
    const run = promisify(execFile)(join(repository, "node_modules/.bin/tsc"), options);
    const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
    expect(stdout).toBe("");
  });
});
