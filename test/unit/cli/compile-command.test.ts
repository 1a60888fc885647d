import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { emptyShape, type Shape } from "../../../compiler/shape/shape.ts";
import { compileCommand } from "../../../runtime/cli/commands/compile.ts";

let folder: string;
let printed: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "compile-"));
  printed = "";
  const write = (text: string | Uint8Array): boolean => {
    printed += String(text);
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(write);
  vi.spyOn(process.stderr, "write").mockImplementation(write);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

const shape: Shape = {
  ...emptyShape("postgres"),
  tables: [
    {
      schema: "public",
      name: "book",
      id: 1,
      kind: "table",
      comment: null,
      columns: ["id", "title"].map((name, i) => ({
        name,
        position: i + 1,
        type: { schema: "pg_catalog", name: "text", sql: "text", category: "base" },
        nullable: false,
        hasDefault: false,
        identity: null,
        generated: false,
        comment: null,
      })),
      primaryKey: { name: "book_pkey", columns: ["id"] },
      uniqueKeys: [],
      foreignKeys: [],
      insertable: true,
      updatable: true,
      deletable: true,
    },
  ],
};

function metadata(columns: string, sources: readonly string[] = ["default"]): string {
  const source = (name: string) => `  - name: ${name}
    kind: postgres
    configuration: { connection_info: { database_url: postgres://unused } }
    tables:
      - table: { schema: public, name: book }
        configuration: { custom_name: ${name}_book }
        select_permissions:
          - role: user
            permission: { columns: ${columns}, filter: {} }
`;
  return `version: 3\nsources:\n${sources.map(source).join("")}`;
}

/** Writes the files and compiles them. */
async function run(files: { readonly metadata: string; readonly shape?: unknown }, options: { shape?: string } = {}) {
  await writeFile(join(folder, "metadata.yaml"), files.metadata);
  if (files.shape !== undefined) await writeFile(join(folder, "shape.json"), JSON.stringify(files.shape));
  return await compileCommand({ metadata: join(folder, "metadata.yaml"), out: join(folder, "out"), ...options });
}

describe("The engine compile command", () => {
  it("engine compile writes the generated files from the metadata and the shape beside it", async () => {
    expect(await run({ metadata: metadata("[id]"), shape })).toBe(0);
    expect(printed).toMatch(/^wrote \d+ files to .*out: \d+ changed, 0 removed\n$/);
    const module = await readFile(join(folder, "out/roles/user/default/public.book.ts"), "utf8");
    expect(module).toContain("columns: [columns.id]");
    expect(await run({ metadata: metadata("[id]") })).toBe(0);
    expect(printed).toContain(": 0 changed, 0 removed\n");
  });

  it("engine compile accepts a shape for each source", async () => {
    const shapes = { first: shape, second: shape };
    expect(await run({ metadata: metadata("[id]", ["first", "second"]), shape: shapes })).toBe(0);
    expect(await readdir(join(folder, "out/sources"))).toEqual(["first", "second"]);
  });

  it("engine compile reports the location of an inconsistency and writes no files", async () => {
    expect(await run({ metadata: metadata("[id, titel]"), shape })).toBe(1);
    expect(printed).toContain(
      `${join(folder, "metadata.yaml")}:10:13: inconsistent select_permission user in table book`,
    );
    expect(printed).toContain(`"titel" does not exist`);
    expect(printed).toContain('($.sources[0].tables[0].select_permissions[0]) – did you mean "title"?\n');
    expect(printed).toContain("1 problem, nothing was written\n");
    expect(await readdir(folder)).toEqual(["metadata.yaml", "shape.json"]);
  });

  it("engine compile reports the location of invalid metadata", async () => {
    expect(await run({ metadata: metadata("3"), shape })).toBe(1);
    expect(printed).toMatch(/metadata\.yaml:11:\d+: parse-failed: .*\(\$\.sources\[0\].*columns\)\n/);
  });

  it("engine compile names a source without a shape", async () => {
    expect(await run({ metadata: metadata("[id]", ["first", "second"]), shape: { first: shape } })).toBe(1);
    expect(printed).toContain("inconsistent source second");
  });

  it("engine compile without a shape explains how to provide one", async () => {
    await expect(run({ metadata: metadata("[id]") })).rejects.toThrow(
      `the shape of the databases is unknown: pass --shape, or save it with \`engine shape\` as ${join(folder, "shape.json")}`,
    );
  });

  it("engine compile refuses one shape for several sources", async () => {
    await expect(run({ metadata: metadata("[id]", ["first", "second"]), shape })).rejects.toThrow(
      `shape.json describes one source, but the metadata has 2 (first, second): pass a file with a shape for each source`,
    );
  });

  it.each([
    [{ format: 2 }, "shape.json is not a valid shape at format:"],
    [{ ...shape, tables: [{ schema: "public" }] }, "shape.json is not a valid shape at tables.0.name:"],
    [{ default: { format: 1 } }, "shape.json is not a valid shape at default.kind:"],
    [[], "shape.json is not a valid shape:"],
  ])("engine compile refuses the shape %j", async (wrong, message) => {
    await expect(run({ metadata: metadata("[id]"), shape: wrong })).rejects.toThrow(message);
  });

  it("engine compile names a missing shape file", async () => {
    const missing = join(folder, "missing.json");
    await expect(run({ metadata: metadata("[id]") }, { shape: missing })).rejects.toThrow(
      `cannot read the shape ${missing}: ENOENT`,
    );
  });

  it("engine compile needs no shape for metadata without sources", async () => {
    expect(await run({ metadata: "version: 3\nsources: []\n" })).toBe(0);
    expect(await readdir(join(folder, "out/roles"))).toEqual(["admin", "unnamed"]);
  });
});

it("engine compile warns about native queries whose SQL was not checked by a database", async () => {
  const example = join(import.meta.dirname, "../../golden/compile/native-queries");
  const out = join(folder, "out");
  const options = { metadata: join(example, "metadata.yaml"), shape: join(example, "shape.json"), out };
  expect(await compileCommand(options)).toBe(0);
  expect(printed).toMatch(/^warning: native queries of \w+ were not checked against its database: \w+/);
});
