/** Generations of the sample library with different permissions of the role `reader`. */
import { analyze } from "../../../compiler/2-analyze/analyze.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { readShapeFile } from "../../../runtime/cli/compile/shape-file.ts";
import { compileAnalysis } from "../../../runtime/control/compile-analysis.ts";
import { GenerationBuilder } from "../../../runtime/control/generation-builder.ts";
import type { DatabaseSource } from "../../../runtime/databases/sources/source.ts";
import type { Generation } from "../../../runtime/execute/generation.ts";
import { execution, must } from "../../support/compiled.ts";

const shapeFile = new URL("../../../fixtures/library/shape.json", import.meta.url).pathname;

const options = {
  environment: { URL: "postgres://unused" },
  experimentalFeatures: new Set<string>(),
  defaultNamingConvention: "engine-default",
  inferFunctionPermissions: true,
  remoteSchemaPermissions: true,
} as const;

/**
 * Returns a function that builds the next generation, in which the role may read and write these columns of `author`.
 */
export async function readerGenerations(
  database: Partial<DatabaseSource>,
): Promise<(columns: readonly string[]) => Generation> {
  const saved = await readShapeFile(shapeFile);
  if (!("shape" in saved)) throw new Error("the sample library has one source");
  const source = { name: "default", ...database } as DatabaseSource;
  const builder = new GenerationBuilder({
    sources: { database: () => source },
    planCacheSize: 10,
    relayCipher: null,
    guard: { allowList: null, unauthorized: null },
  });
  let resourceVersion = 0;
  return (columns) => {
    const select_permissions = [{ role: "reader", permission: { columns, filter: {} } }];
    const insert_permissions = [{ role: "reader", permission: { columns, check: {} } }];
    const tables = [{ table: { schema: "public", name: "author" }, select_permissions, insert_permissions }];
    const configuration = { connection_info: { database_url: { from_env: "URL" } } };
    const metadata = { version: 3, sources: [{ name: "default", kind: "postgres", configuration, tables }] };
    const catalog = must(readMetadataDocument(metadata, emptyCatalog));
    const introspections = new Map([["default", { shape: saved.shape }]]);
    const analysis = must(analyze({ catalog, introspections, options }));
    return builder.build({
      catalog,
      ...compileAnalysis({ analysis, planning: execution }),
      resourceVersion: ++resourceVersion,
    });
  };
}
