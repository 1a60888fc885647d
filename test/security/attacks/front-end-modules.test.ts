/** Attacks on `engine client`: text of schemas, documents and metadata that could become code, and links at the output. */
import { lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { transform } from "esbuild";
import { buildSchema, print } from "graphql";
import { afterEach, beforeEach, expect, it } from "vitest";
import { savedOperations } from "../../../compiler/2-analyze/saved-operations.ts";
import { writeClients } from "../../../runtime/cli/client/write-client.ts";
import type { ClientModule } from "../../../runtime/cli/project/settings.ts";

const attack = `*/ globalThis.attacked = true; /* \${globalThis.attacked = true} \` \\" \u2028 @ts-nocheck`;

// Built like the schemas of the command, which engines have printed.
const schema = buildSchema(
  `
  type Query { note(where: where, text: String): note }
  """${attack.replaceAll('"', "'")}"""
  input where { __proto__: order, constructor: String }
  """${attack.replaceAll('"', "'")}"""
  enum order { eval arguments __dirname }
  type note { id: String, constructor: order }
`,
  { assumeValid: true, assumeValidSDL: true },
);

const text = JSON.stringify(attack);
const document = `query constructor($where: where) { __proto__: note(where: $where, text: ${text}) { id constructor } }`;
const saved = savedOperations([
  {
    name: attack,
    definition: {
      queries: [{ name: attack, query: `query Saved($x: where) { note(where: $x, text: ${text}) { id } }` }],
    },
  },
]);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "front-end-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const silent = { result: () => undefined, remark: () => undefined, done: () => undefined, problems: () => undefined };

function write(documentMode: ClientModule["documentMode"]): Promise<boolean> {
  const module = { folder, out: "engine.ts", role: "user", documents: ["*.graphql"], documentMode, scalars: new Map() };
  const source = {
    warnings: [],
    of: async (role: string) => ({ role, schema, savedOperations: [...saved.values()] }),
  };
  return writeClients([module], source, {}, silent);
}

it.each(["documentNode", "string"] as const)(
  "Text of schemas, documents and metadata never becomes code in the module of a front end: %s",
  async (mode) => {
    await writeFile(join(folder, "a.graphql"), document);
    expect(await write(mode)).toBe(true);
    const { code } = await transform(await readFile(join(folder, "engine.ts"), "utf8"), {
      loader: "ts",
      format: "esm",
    });
    await writeFile(join(folder, "engine.mjs"), code);
    const exported = await import(pathToFileURL(join(folder, "engine.mjs")).href);
    expect(Object.keys(exported)).toEqual(["ConstructorDocument", "SavedDocument"]);
    for (const each of Object.values(exported)) {
      expect(typeof each === "string" ? each : print(each as Parameters<typeof print>[0])).toContain(text);
    }
    expect(Object.hasOwn(globalThis, "attacked")).toBe(false);
  },
);

it("A symbolic link at the output is neither followed nor used to replace its target", async () => {
  await mkdir(join(folder, "elsewhere"));
  const target = join(folder, "elsewhere/target.ts");
  await writeFile(join(folder, "a.graphql"), "query A { note { id } }");
  await write("string");
  const module = await readFile(join(folder, "engine.ts"), "utf8");
  await writeFile(target, "export {};\n");
  await rm(join(folder, "engine.ts"));
  await symlink(target, join(folder, "engine.ts"));
  await expect(write("string")).rejects.toThrow("engine.ts was not generated");
  await writeFile(target, `${module.split("\n")[0]}\n`);
  expect(await write("string")).toBe(true);
  expect(await readFile(target, "utf8")).toBe(`${module.split("\n")[0]}\n`);
  expect((await lstat(join(folder, "engine.ts"))).isSymbolicLink()).toBe(false);
});
