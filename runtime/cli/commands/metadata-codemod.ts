/** `engine metadata codemod …`: rewrites the metadata of a project or of its server. */
import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import { exportMetadata, storeMetadata } from "../../../compiler/catalog/canonical.ts";
import { type Catalog, emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { Json, Source } from "../../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { withDatabaseComments } from "../../../compiler/metadata/database-comments.ts";
import type { Shape } from "../../../compiler/shape/shape.ts";
import { EngineError } from "../../values/errors.ts";
import { redactor } from "../../values/redact-metadata.ts";
import { savedIntrospections } from "../compile/saved-introspections.ts";
import { shapesOfServer } from "../handlers/server-shapes.ts";
import { reportInvalidFiles } from "../metadata/apply-metadata.ts";
import { readValidFiles, writeMetadata } from "../metadata/metadata-files.ts";
import { printUnifiedDiff } from "../metadata/print-diff.ts";
import { diagnosticProblem } from "../problem.ts";
import { type CallMetadata, exportedBy, withServer } from "../project/client.ts";
import { printDone } from "../project/output.ts";
import { type GlobalFlags, readSettings, type Settings } from "../project/settings.ts";

export interface CodemodOptions extends GlobalFlags {
  /** If true, the metadata is changed; otherwise only the diff is printed. */
  readonly write?: boolean;
  /** If true, the metadata of the server is changed instead of the project's. */
  readonly server?: boolean;
  /** Saved Shapes of the databases; default the databases of the server. */
  readonly shape?: string;
}

/** The metadata to change. */
interface Target {
  readonly name: string;
  readonly catalog: Catalog;
  save(changed: Catalog): Promise<unknown>;
}

/**
 * Copies comments of databases into metadata that has no comment for the same object, and prints the diff.
 * Resolves to the exit code.
 * @throws EngineError if a database cannot be read, or the metadata has changed at the same time
 */
export async function postgresCommentsCommand(options: CodemodOptions): Promise<number> {
  return reportInvalidFiles(async () => {
    const settings = await readSettings(options, process.env);
    const run = async (target: Target, call?: CallMetadata): Promise<number> => {
      const shapes = shapesOf(await introspectionsOf(target.catalog.sources, options, call));
      await change(target, withDatabaseComments(target.catalog, shapes), options);
      return 0;
    };
    if (options.server === true)
      return withServer(settings, async (call) => run(await serverTarget(settings, call), call));
    const target = await filesTarget(settings);
    return options.shape === undefined ? withServer(settings, (call) => run(target, call)) : run(target);
  });
}

async function filesTarget({ metadataPath }: Settings): Promise<Target> {
  const { catalog, files } = await readValidFiles(metadataPath);
  const save = (changed: Catalog) =>
    writeMetadata(metadataPath, storeMetadata(changed), files === undefined ? {} : { files });
  return { name: metadataPath, catalog, save };
}

async function serverTarget({ endpoint }: Settings, call: CallMetadata): Promise<Target> {
  const { version, metadata } = await exportedBy(call);
  const read = readMetadataDocument(metadata, emptyCatalog);
  if (!read.ok) {
    const { line } = diagnosticProblem(read.error, (path) => path);
    throw new EngineError("unexpected", "$", `cannot read the metadata of ${endpoint}: ${line}`);
  }
  const save = (changed: Catalog): Promise<Json> => {
    const args = { allow_inconsistent_metadata: true, metadata: exportMetadata(changed) };
    return call({ type: "replace_metadata", version: 2, resource_version: version, args });
  };
  return { name: "server", catalog: read.value, save };
}

function introspectionsOf(
  sources: readonly Source[],
  { shape }: CodemodOptions,
  call: CallMetadata | undefined,
): Promise<ReadonlyMap<string, SourceIntrospection>> {
  if (shape !== undefined) return savedIntrospections(shape, sources);
  if (call === undefined) throw new Error("invariant: without a shape there is a server");
  return shapesOfServer(sources, call);
}

/** @throws EngineError for the first database without a Shape */
function shapesOf(introspections: ReadonlyMap<string, SourceIntrospection>): ReadonlyMap<string, Shape> {
  const shapes = new Map<string, Shape>();
  for (const [name, found] of introspections) {
    if (!("shape" in found)) {
      const message = `cannot read the comments of database ${name}: ${found.error.message}`;
      throw new EngineError("unexpected", "$", message);
    }
    shapes.set(name, found.shape);
  }
  return shapes;
}

async function change(target: Target, changed: Catalog, options: CodemodOptions): Promise<void> {
  const redact = redactor();
  const side = (catalog: Catalog) => ({ name: target.name, document: redact(exportMetadata(catalog)) });
  const [before, after] = [side(target.catalog), side(changed)];
  if (!printUnifiedDiff(before, after, { ...options, format: "yaml" })) {
    printDone("every comment of the databases is in the metadata");
    return;
  }
  if (options.write !== true) {
    printDone("nothing was written: --write changes the metadata");
    return;
  }
  await target.save(changed);
  printDone(
    `copied comments of the databases to the metadata of the ${options.server === true ? "server" : "project"}`,
  );
}
