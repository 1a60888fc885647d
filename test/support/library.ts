/** The sample library on a server of a test. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import type { TestServer } from "./server.ts";
import { root } from "./shared-checks.ts";

const library = join(root, "fixtures/library");

/** Creates its tables with their rows and applies its metadata. */
export async function useLibrary(server: TestServer): Promise<void> {
  for (const file of ["schema.sql", "seed.sql"]) {
    const sql = await readFile(join(library, "postgres", file), "utf8");
    await server.post("/v2/query", { type: "run_sql", args: { sql } });
  }
  const { metadata } = await readMetadataDirectory(join(library, "metadata"));
  await server.metadata("replace_metadata", metadata);
}
