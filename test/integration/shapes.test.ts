/**
 * The saved Shapes of the sample library and of the compiler's golden cases equal the introspection results of their
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
import { compactJson } from "../support/compact-json.ts";
import { must } from "../support/compiled.ts";
import { createDatabase, query } from "../support/database.ts";
import { casesBelow, expectGolden } from "../support/golden.ts";

const repository = join(import.meta.dirname, "../..");
const roots = ["test/golden/compile", "test/golden/handlers"].map((root) => join(repository, root));
const library = join(repository, "fixtures/library");

interface Place {
  readonly folder: string;
  readonly schema: string;
  /** Defines which tables are enums: their rows are part of the Shape. */
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

/** Returns the Shape as text, with small numbers for the object identifiers of the server. */
function shapeText(shape: Shape): string {
  const numbers = new Map<unknown, number>();
  const renumber = (key: string, value: unknown): unknown => {
    if (key === "serverVersion") return "15";
    if (key !== "id") return value;
    if (!numbers.has(value)) numbers.set(value, numbers.size + 1);
    return numbers.get(value);
  };
  return compactJson(JSON.parse(JSON.stringify(shape, renumber)));
}

/**
 * Compares `shape.json` of the folder, or writes it. Only the parts that the compiler reads are compared, so that a
 * file written by `engine shape`, with the object identifiers of its server, also passes.
 */
async function expectShape(place: Place): Promise<void> {
  const { folder } = place;
  const shape = await shapeOf(place);
  const path = join(folder, "shape.json");
  const saved = existsSync(path) ? await readShapeFile(path) : undefined;
  if (saved?.kind === "one" && shapeHash(saved.shape) === shapeHash(shape)) return;
  await expectGolden(folder, new Map([["shape.json", shapeText(shape)]]), { isInput: (path) => path !== "shape.json" });
}

describe("Saved shapes", async () => {
  const found = roots.map(async (root) => (await casesBelow(root, "schema.sql")).map((name) => join(root, name)));
  it.each((await Promise.all(found)).flat())(
    "The saved shape of %s equals the introspected database",
    async (folder) => {
      await expectShape({ folder, schema: join(folder, "schema.sql"), metadata: join(folder, "metadata.yaml") });
    },
  );

  it(basename(library), async () => {
    const metadata = join(library, "metadata");
    await expectShape({ folder: library, schema: join(library, "postgres/schema.sql"), metadata });
  });
});
