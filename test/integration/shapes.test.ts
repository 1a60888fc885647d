/**
 * The saved Shapes of the sample library and of the compiler's golden cases are what introspection finds in their
 * `schema.sql`. `UPDATE_GOLDEN=1` writes them; run it before the golden cases that read them.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, it } from "vitest";
import { shapeHash } from "../../compiler/4-emit/manifest.ts";
import { emptyCatalog } from "../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../compiler/catalog/upgrade.ts";
import type { Shape } from "../../compiler/shape/shape.ts";
import { enumTables, introspectUrl } from "../../runtime/cli/compile/introspect-url.ts";
import { readShapeFile } from "../../runtime/cli/compile/shape-file.ts";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { must } from "../support/compiled.ts";
import { createDatabase, query } from "../support/database.ts";
import { casesBelow, expectGolden } from "../support/golden.ts";

const repository = join(import.meta.dirname, "../..");
const roots = ["test/golden/compile", "test/golden/handlers"].map((root) => join(repository, root));
const library = join(repository, "fixtures/library");

interface Place {
  readonly folder: string;
  readonly schema: string;
  /** Says which tables are enums: their rows are part of the Shape. */
  readonly metadata: string;
}

async function shapeOf({ schema, metadata }: Place): Promise<Shape> {
  const catalog = must(readMetadataDocument((await readMetadataDirectory(metadata)).metadata, emptyCatalog));
  const database = await createDatabase("shape");
  try {
    await query(database.url, await readFile(schema, "utf8"));
    return await introspectUrl(database.url, "postgres", catalog.sources.flatMap(enumTables));
  } finally {
    await database.drop();
  }
}

/** With numbers instead of what one server calls its objects, and one line for each small thing. */
function shapeText(shape: Shape): string {
  const numbers = new Map<unknown, number>();
  const renumber = (key: string, value: unknown): unknown => {
    if (key === "serverVersion") return "15";
    if (key !== "id") return value;
    if (!numbers.has(value)) numbers.set(value, numbers.size + 1);
    return numbers.get(value);
  };
  return `${lines(JSON.parse(JSON.stringify(shape, renumber)), "")}\n`;
}

/** JSON whose values stand on one line where that is short. */
function lines(value: unknown, margin: string): string {
  const flat = JSON.stringify(value);
  if (typeof value !== "object" || value === null || margin.length + flat.length <= 120) return flat;
  const inner = `${margin}  `;
  const isList = Array.isArray(value);
  const items = Object.entries(value).map(
    ([key, item]) => `${inner}${isList ? "" : `${JSON.stringify(key)}: `}${lines(item, inner)}`,
  );
  return `${isList ? "[" : "{"}\n${items.join(",\n")}\n${margin}${isList ? "]" : "}"}`;
}

/**
 * Compares `shape.json` of the folder, or writes it. Only what the compiler sees counts: a file that `engine shape`
 * wrote, with the object identifiers of its server, is as good.
 */
async function expectShape(place: Place): Promise<void> {
  const { folder } = place;
  const shape = await shapeOf(place);
  const path = join(folder, "shape.json");
  const saved = existsSync(path) ? await readShapeFile(path) : undefined;
  if (saved?.kind === "one" && shapeHash(saved.shape) === shapeHash(shape)) return;
  await expectGolden(folder, new Map([["shape.json", shapeText(shape)]]), { isInput: (path) => path !== "shape.json" });
}

describe("saved shapes", async () => {
  const found = roots.map(async (root) => (await casesBelow(root, "schema.sql")).map((name) => join(root, name)));
  it.each((await Promise.all(found)).flat())("%s", async (folder) => {
    await expectShape({ folder, schema: join(folder, "schema.sql"), metadata: join(folder, "metadata.yaml") });
  });

  it(basename(library), async () => {
    const metadata = join(library, "metadata");
    await expectShape({ folder: library, schema: join(library, "postgres/schema.sql"), metadata });
  });
});
