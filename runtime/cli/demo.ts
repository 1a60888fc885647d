/** The sample library of `--demo`: tables and rows, and metadata with three roles. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { Catalog } from "../../compiler/catalog/catalog.ts";
import { emptyCatalog } from "../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../compiler/catalog/upgrade.ts";
import { packageFolder } from "../config/package-folder.ts";
import { valueOrThrow } from "../control/diagnostic-errors.ts";
import type { Sample } from "../server/live/open-services.ts";
import { readMetadataDirectory } from "./metadata-directory/read.ts";

const fixture = (path: string): string => fileURLToPath(new URL(`fixtures/library/${path}`, packageFolder()));

export const librarySample: Sample = { seed, catalog };

async function seed(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ exists: boolean }>("select to_regclass('public.book') is not null as exists");
    if (rows[0]?.exists) return;
    const [schema, rowsOfSample] = await Promise.all(
      ["postgres/schema.sql", "postgres/seed.sql"].map((path) => readFile(fixture(path), "utf8")),
    );
    await client.query(`begin; ${schema}; ${rowsOfSample}; commit`);
  } finally {
    await client.end();
  }
}

async function catalog(): Promise<Catalog> {
  const { metadata } = await readMetadataDirectory(fixture("metadata"));
  return valueOrThrow(readMetadataDocument(metadata, emptyCatalog));
}
