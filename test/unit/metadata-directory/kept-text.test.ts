/** A change of metadata keeps the text of its files that it does not concern. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exportMetadata } from "../../../compiler/catalog/canonical.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { identityOf, identityText, indexed } from "../../../runtime/cli/metadata-directory/identity.ts";
import { readMetadataDirectory } from "../../../runtime/cli/metadata-directory/read.ts";
import { writeMetadataDirectory } from "../../../runtime/cli/metadata-directory/write.ts";
import { canonicalJson } from "../../../runtime/values/canonical-json.ts";
import { isObject } from "../../../runtime/values/is-object.ts";
import { arbitraryCatalog } from "../catalog/arbitrary-catalog.ts";
import { type Choose, choices, type Line, valueAt, Writer } from "./hand-written.ts";
import { filesBelow, temporaryDirectory } from "./temporary-directory.ts";

/** Replaces some members and elements of the first value by those of the second. */
function mixed(left: Json, right: Json | undefined, choose: Choose): Json {
  if (right === undefined || canonicalJson(left) === canonicalJson(right)) return left;
  if (Array.isArray(left) && Array.isArray(right)) {
    if (!indexed(left) || !indexed(right)) return choose(3) ? right : left;
    const named = new Map(
      right.map((each: Json) => [identityText(identityOf(each) ?? { key: "", value: null }), each]),
    );
    const kept = left.flatMap((each: Json) => {
      const identity = identityText(identityOf(each) ?? { key: "", value: null });
      const other = named.get(identity);
      named.delete(identity);
      return choose(6) ? [] : [mixed(each, other, choose)];
    });
    return [...kept, ...[...named.values()].filter(() => choose(3))];
  }
  if (isObject<Json>(left) && isObject<Json>(right)) {
    const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
    return Object.fromEntries(
      [...keys].flatMap((key): [string, Json][] => {
        const [own, other] = [valueAt(left, [key]), valueAt(right, [key])];
        if (own === undefined) return choose(3) && other !== undefined ? [[key, other]] : [];
        if (other === undefined && choose(6)) return [];
        return [[key, mixed(own, other, choose)]];
      }),
    );
  }
  return choose(3) ? right : left;
}

const canonical = (metadata: Json): JsonObject | undefined => {
  const read = readMetadataDocument(metadata, emptyCatalog);
  return read.ok ? exportMetadata(read.value) : undefined;
};

const isSame = (left: Json | undefined, right: Json | undefined): boolean =>
  left !== undefined && right !== undefined && canonicalJson(left) === canonicalJson(right);

/** Returns true if a change from one value to the other leaves the line as it is. */
function isUnconcerned({ owner, isKey }: Line, before: Json, after: Json): boolean {
  const [old, next] = [valueAt(before, owner), valueAt(after, owner)];
  if (isSame(old, next)) return true;
  if (!isKey || old === undefined || next === undefined || Array.isArray(old) !== Array.isArray(next)) return false;
  return typeof next === "object" && next !== null && Object.keys(next).length > 0;
}

function expectSubsequence(part: readonly string[], whole: readonly string[]): void {
  let at = 0;
  for (const text of part) {
    const found = whole.indexOf(text, at);
    if (found < 0) expect(whole.join("\n")).toContain(text === "" ? "an empty line" : text);
    at = found + 1;
  }
}

describe("The text of metadata files after a change", () => {
  it("A change reads back exactly and keeps every line that it does not concern", { timeout: 240_000 }, async () => {
    const directory = await temporaryDirectory();
    await fc.assert(
      fc.asyncProperty(
        arbitraryCatalog,
        arbitraryCatalog,
        fc.nat(),
        fc.boolean(),
        async (first, second, seed, isOne) => {
          const choose = choices(seed);
          const before = exportMetadata({
            ...first,
            actions: isOne ? first.actions : [],
            custom_types: emptyCatalog.custom_types,
          });
          const other = exportMetadata({
            ...second,
            actions: isOne ? second.actions : [],
            custom_types: emptyCatalog.custom_types,
          });
          const after = canonical(mixed(before, other, choose));
          fc.pre(canonical(before) !== undefined && after !== undefined);
          if (after === undefined) return;
          await rm(directory, { recursive: true });
          const writer = new Writer(choose);
          const { files, lineBreak } = isOne ? writer.oneFile(before) : writer.directory(before);
          for (const [file, lines] of files) {
            await mkdir(dirname(join(directory, file)), { recursive: true });
            await writeFile(join(directory, file), lines.map(({ text }) => `${text}${lineBreak}`).join(""));
          }
          const path = isOne ? join(directory, "metadata.yaml") : directory;
          expect(canonicalJson(canonical((await readMetadataDirectory(path)).metadata))).toBe(canonicalJson(before));
          await writeMetadataDirectory(path, after);
          expect(canonicalJson(canonical((await readMetadataDirectory(path)).metadata))).toBe(canonicalJson(after));
          const present = new Set(await filesBelow(directory));
          for (const [file, lines] of files) {
            const kept = lines.filter((each) => isUnconcerned(each, before, after));
            if (!present.has(file)) expect(kept.filter(({ text }) => text !== "")).toEqual([]);
            else {
              const text = await readFile(join(directory, file), "utf8");
              expectSubsequence(
                kept.map((each) => each.text),
                text.split(lineBreak),
              );
            }
          }
        },
      ),
      { numRuns: 25, endOnFailure: true },
    );
  });

  const permission = (role: string, columns: readonly string[], filter: Json = {}): Json => ({
    role,
    permission: { columns: [...columns], filter },
  });
  const source = (tables: readonly Json[]): Json => ({
    version: 3,
    sources: [
      {
        name: "default",
        kind: "postgres",
        tables: [...tables],
        configuration: { connection_info: { database_url: "x" } },
      },
    ],
  });
  const table = (name: string, more: JsonObject = {}): Json => ({ table: { name, schema: "public" }, ...more });
  const databases = `# The shop.
- name: default
  kind: postgres
  configuration: {connection_info: {database_url: x}} # local
  tables: !include tables.yaml
`;
  const notes = `# Notes of users.

- table: note
  select_permissions:
    # Users read their own notes.
    - role: user
      permission: { columns: [id, text], filter: {}, allow_aggregations: false } # short
- table: {schema: public, name: tag}
`;

  async function changed(tables: readonly Json[]): Promise<string> {
    const files = {
      "version.yaml": "version: 3",
      "databases/databases.yaml": databases,
      "databases/tables.yaml": notes,
    };
    const directory = await temporaryDirectory(files);
    await writeMetadataDirectory(directory, source(tables));
    expect(await filesBelow(directory)).toEqual(Object.keys(files).sort((left, right) => (left < right ? -1 : 1)));
    expect(await readFile(join(directory, "databases/databases.yaml"), "utf8")).toBe(databases);
    return readFile(join(directory, "databases/tables.yaml"), "utf8");
  }

  it("A renamed column is replaced where it stands", async () => {
    const renamed = table("note", { select_permissions: [permission("user", ["id", "body"])] });
    expect(await changed([renamed, table("tag")])).toBe(notes.replace("[id, text]", "[id, body]"));
  });

  it("A new permission is written below its neighbour in the same style", async () => {
    const selects = [permission("admin", ["id"]), permission("user", ["id", "text"])];
    const found = await changed([table("note", { select_permissions: selects }), table("tag")]);
    const added = "    - role: admin\n      permission: { columns: [id], filter: {} }\n";
    expect(found).toBe(notes.replace("    # Users read", `${added}    # Users read`));
  });

  it("A removed object takes the comment above it along", async () => {
    expect(await changed([table("note"), table("tag")])).toBe(
      notes.replace(/ {2}select_permissions:[\s\S]*short\n/, ""),
    );
  });

  it("A new table is written into the file that has the others", async () => {
    const same = table("note", { select_permissions: [permission("user", ["id", "text"])] });
    expect(await changed([same, table("tag"), table("word")])).toBe(
      `${notes}- table: { name: word, schema: public }\n`,
    );
  });

  it("A changed action keeps the text of the other definitions", async () => {
    const sdl = `# Actions of the shop.
type Mutation {
  # Sends a letter.
  send(to: String!): Sent # later
  stop: Sent
}

# The result.
type Sent { ok: Boolean }

scalar Money
`;
    const yaml = `actions:
  - name: send # by mail
    definition: {handler: "http://x"}
  - name: stop
    definition:
      handler: 'http://y'
`;
    const directory = await temporaryDirectory({
      "databases/databases.yaml": "[]",
      "actions.graphql": sdl,
      "actions.yaml": yaml,
    });
    const read = readMetadataDocument((await readMetadataDirectory(directory)).metadata, emptyCatalog);
    if (!read.ok) throw new Error(read.error.message + read.error.path);
    const metadata = exportMetadata(read.value);
    const actions = (metadata.actions as readonly JsonObject[]).map((action) =>
      action.name === "stop"
        ? { ...action, definition: { ...(action.definition as JsonObject), output_type: "Money", timeout: 5 } }
        : action,
    );
    await writeMetadataDirectory(directory, { ...metadata, actions });
    expect(await readFile(join(directory, "actions.graphql"), "utf8")).toBe(sdl.replace("stop: Sent", "stop: Money"));
    expect(await readFile(join(directory, "actions.yaml"), "utf8")).toBe(`${yaml}      timeout: 5\n`);
  });

  it("A value with an alias changes alone", async () => {
    const text = `version: 3
sources:
  - name: default
    kind: postgres
    configuration: {connection_info: {database_url: x}}
    tables:
      - table: {schema: public, name: note}
        select_permissions:
          - {role: a, permission: &own {columns: [id, text], filter: {}}}
          - {role: b, permission: *own}
`;
    const directory = await temporaryDirectory({ "metadata.yaml": text });
    const selects = [permission("a", ["id"]), permission("b", ["id", "text"])];
    await writeMetadataDirectory(
      join(directory, "metadata.yaml"),
      source([table("note", { select_permissions: selects })]),
    );
    expect(await readFile(join(directory, "metadata.yaml"), "utf8")).toBe(
      text.replace("[id, text]", "[id]").replace("*own", "{columns: [id, text], filter: {}}"),
    );
  });

  it("A change of one JSON file keeps its other lines", async () => {
    const metadata = source([table("note", { select_permissions: [permission("user", ["id"])] })]);
    const text = JSON.stringify({ resource_version: 4, metadata }, null, 4);
    const directory = await temporaryDirectory({ "metadata.json": text });
    const next = source([table("note", { select_permissions: [permission("user", ["id", "text"])] })]);
    await writeMetadataDirectory(join(directory, "metadata.json"), next);
    const found = await readFile(join(directory, "metadata.json"), "utf8");
    expect(found.replace(/,\s*"text"(?=\s)/, "")).toBe(text);
    expect((await readMetadataDirectory(join(directory, "metadata.json"))).metadata).toMatchObject(next as object);
  });

  it("Metadata with a syntax error is not overwritten", async () => {
    const files = { "databases/databases.yaml": databases, "databases/tables.yaml": "- table: [" };
    const directory = await temporaryDirectory(files);
    await expect(writeMetadataDirectory(directory, source([]))).rejects.toThrow(/tables\.yaml:1:\d+: /);
    expect(await readFile(join(directory, "databases/tables.yaml"), "utf8")).toBe("- table: [");
  });
});
