/** Applies a project's files to a server repeatedly, and finds the changes for each role. */
import type { Inconsistency } from "../../../compiler/2-analyze/inconsistency.ts";
import type { Change } from "../../../compiler/access/change.ts";
import { exportMetadata } from "../../../compiler/catalog/canonical.ts";
import { type Catalog, emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { accessChanges } from "../../control/access.ts";
import { EngineError } from "../../values/errors.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { type AnalyzedProgram, analyzeCatalog } from "../compile/analyze-input.ts";
import type { CatalogFiles } from "../compile/read-catalog.ts";
import { addMissingSources, applyPending } from "../deployment/databases.ts";
import { placed } from "../deployment/located-inconsistencies.ts";
import { sideOf } from "../diff/side.ts";
import { shapesOfServer } from "../handlers/server-shapes.ts";
import { InvalidFiles } from "../invalid-files.ts";
import { replaceMetadata } from "../metadata/apply-metadata.ts";
import { inconsistencyList } from "../metadata/inconsistency.ts";
import { readValidFiles, writeMetadata } from "../metadata/metadata-files.ts";
import { readMetadataDirectory } from "../metadata-directory/read.ts";
import { hasStatement } from "../migrations/migration-files.ts";
import { withToolLock } from "../migrations/tool-lock.ts";
import { type BrokenOperation, brokenOperations } from "../plan/broken-operations.ts";
import { type Problem, problemLines } from "../problem.ts";
import { type CallMetadata, exportedBy } from "../project/client.ts";
import { printed } from "../project/output.ts";
import type { Settings } from "../project/settings.ts";
import { mergedMetadata, serverOnly } from "./merge-metadata.ts";

/** Settings of the migration lock. The wait lets other tools finish, such as a deployment. */
const lock = { command: "engine dev", waitSeconds: 600 };

export interface DevSessionOptions {
  /**
   * Resolves to true if objects that only the server has may be dropped. Called at the first application only: later,
   * such objects were removed from the files.
   * @param objects one line each
   */
  readonly mayDrop: (objects: readonly string[]) => Promise<boolean>;
}

export interface Applied {
  /** Changes of the access of roles since the last report. */
  readonly changes: readonly Change[];
  /** Saved operations that roles can no longer run. */
  readonly broken: readonly BrokenOperation[];
  /** Lines about inconsistent objects. */
  readonly inconsistent: readonly string[];
}

export class DevSession {
  readonly #settings: Settings;
  readonly #options: DevSessionOptions;
  /** Last reported program; initially, the program of the server. */
  #reported: AnalyzedProgram | undefined;
  /** Last metadata that files and server shared. */
  #common: JsonObject | undefined;

  constructor(settings: Settings, options: DevSessionOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  /**
   * Applies migrations that contain statements, and the metadata. Changes that the server made to its metadata since the
   * last application, such as renamed columns, follow into the files.
   * @throws InvalidFiles, EngineError with file and line; migrations applied before the failure remain applied
   */
  async apply(call: CallMetadata): Promise<Applied> {
    const { metadataPath, migrationsPath } = this.#settings;
    let files = await readValidFiles(metadataPath);
    const served = await servedCatalog(call);
    const isFirst = this.#common === undefined;
    const common = this.#common ?? exportMetadata(served.catalog);
    if (isFirst) await this.#requireConsent(common, exportMetadata(files.catalog));
    this.#reported ??= await this.#analyzed(call, served);
    const before = this.#reported;
    const response = await withToolLock(call, lock, async (ensureAlone) => {
      await addMissingSources(call, files.document, printed);
      // A new migration may still be empty.
      const applied = await applyPending(call, migrationsPath, {
        ensureAlone,
        output: printed,
        followsRenames: true,
        isSelected: ({ up }) => hasStatement(up),
      });
      ensureAlone();
      const now = await servedCatalog(call);
      files = await this.#followed(files, common, exportMetadata(now.catalog));
      // The console wrote these files. Replacing the metadata would make the console's next change a conflict.
      if (applied === 0 && !isFirst && isSame(files.catalog, now)) {
        return { inconsistent_objects: await call({ type: "get_inconsistent_metadata", args: {} }) };
      }
      return replaceMetadata(call, await readMetadataDirectory(metadataPath), {
        allowInconsistent: true,
        output: printed,
        describe: async (list) => list,
      });
    });
    this.#common = exportMetadata(files.catalog);
    const after = await this.#analyzed(call, files);
    refuseLostSource(before, after);
    this.#reported = after;
    return {
      changes: accessChanges(sideOf("before", before).access, sideOf("after", after).access),
      broken: brokenOperations(before, after),
      inconsistent: problemLines([...after.inconsistent, ...serverInconsistencies(response, after, files)]),
    };
  }

  async #requireConsent(served: JsonObject, files: JsonObject): Promise<void> {
    const dropped = serverOnly(served, files);
    if (dropped.length === 0 || (await this.#options.mayDrop(dropped))) return;
    const list = dropped.map((object) => `  ${object}`).join("\n");
    const message =
      `the server has metadata that the files lack:\n${list}\nIt was kept, and nothing was applied. Write it into the ` +
      "files with `engine metadata export`, or drop it from the server with `engine dev --drop-unlisted`.";
    throw new EngineError("conflict", "$", message);
  }

  /** Writes changes of the server since the common state into the files, and reads them again. */
  async #followed(files: CatalogFiles, common: JsonObject, served: JsonObject): Promise<CatalogFiles> {
    const { metadataPath } = this.#settings;
    const written = exportMetadata(files.catalog);
    const merged = mergedMetadata(common, served, written);
    if (stringifyJson(merged) === stringifyJson(written)) return files;
    await writeMetadata(metadataPath, merged, files.files && { files: files.files });
    printed.result(`wrote ${metadataPath}\n`);
    return readValidFiles(metadataPath);
  }

  async #analyzed(call: CallMetadata, files: CatalogFiles): Promise<AnalyzedProgram> {
    const { metadataPath: metadata, environment } = this.#settings;
    const introspections = await shapesOfServer(files.catalog.sources, call);
    const analyzed = await analyzeCatalog(files, introspections, { metadata, allowInconsistent: true }, environment);
    if ("problems" in analyzed) throw new InvalidFiles(analyzed.problems);
    return analyzed;
  }
}

/**
 * Refuses to report changes that result only from an unreachable database.
 * @throws EngineError if a database could be read before and cannot be read now
 */
function refuseLostSource(before: AnalyzedProgram, after: AnalyzedProgram): void {
  const isLost = ({ id }: Inconsistency): boolean => id.kind === "source" && before.analysis.sources.has(id.source);
  const lost = after.analysis.inconsistencies.find(isLost);
  if (lost === undefined) return;
  throw new EngineError("connection error", "$", `cannot read ${lost.name}: ${lost.reason}`);
}

function isSame(left: Catalog, { catalog: right }: CatalogFiles): boolean {
  return stringifyJson(exportMetadata(left)) === stringifyJson(exportMetadata(right));
}

/** Returns the server's metadata in the form of files. */
async function servedCatalog(call: CallMetadata): Promise<CatalogFiles> {
  const { metadata } = await exportedBy(call);
  const read = readMetadataDocument(metadata, emptyCatalog);
  const catalog: Catalog = read.ok ? read.value : emptyCatalog;
  return { catalog, document: metadata, place: (path) => path };
}

/** Lists inconsistencies that only the server finds: missing variables and unreachable remote schemas. */
function serverInconsistencies(response: Json, { analysis }: AnalyzedProgram, files: CatalogFiles): readonly Problem[] {
  const known = new Set(analysis.inconsistencies.map(({ name }) => name));
  const { problems } = inconsistencyList(response);
  return problems
    .filter(({ object }) => object !== undefined && !known.has(object))
    .map((problem) => placed(files, String(problem.object), problem))
    .map((problem) =>
      problem.location === undefined ? { ...problem, line: `inconsistent ${problem.line}` } : problem,
    );
}
