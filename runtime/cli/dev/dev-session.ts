/** Applies a project's files to a server repeatedly, and finds the changes for each role. */
import type { Inconsistency } from "../../../compiler/2-analyze/inconsistency.ts";
import type { Change } from "../../../compiler/access/change.ts";
import { exportMetadata } from "../../../compiler/catalog/canonical.ts";
import { type Catalog, emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { Json } from "../../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { accessChanges } from "../../control/access.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { redactor } from "../../values/redact-metadata.ts";
import { type AnalyzedProgram, analyzeCatalog } from "../compile/analyze-input.ts";
import { type CatalogFiles, readCatalog } from "../compile/read-catalog.ts";
import { addMissingSources, applyPending } from "../deployment/databases.ts";
import { placeOf } from "../deployment/located-inconsistencies.ts";
import { sideOf } from "../diff/side.ts";
import { shapesOfServer } from "../handlers/server-shapes.ts";
import { replaceMetadata } from "../metadata/apply-metadata.ts";
import { InvalidFiles } from "../metadata/metadata-files.ts";
import { readMetadataDirectory } from "../metadata-directory/read.ts";
import { hasStatement } from "../migrations/migration-files.ts";
import { withToolLock } from "../migrations/tool-lock.ts";
import { type BrokenOperation, brokenOperations } from "../plan/broken-operations.ts";
import { diagnosticText } from "../problem-text.ts";
import { type CallMetadata, exportedBy } from "../project/client.ts";
import { printed } from "../project/output.ts";
import type { Settings } from "../project/settings.ts";

/** Settings of the migration lock. The wait lets other tools finish, such as a deployment. */
const lock = { command: "engine dev", waitSeconds: 600 };

export interface Applied {
  /** Changes of the access of roles since the last report. */
  readonly changes: readonly Change[];
  /** Saved operations that roles can no longer run. */
  readonly broken: readonly BrokenOperation[];
  /** One line for each inconsistent object. */
  readonly inconsistent: readonly string[];
}

export class DevSession {
  readonly #settings: Settings;
  /** Last reported program; initially, the program of the server. */
  #reported: AnalyzedProgram | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * Applies migrations that contain statements, and the metadata.
   * @throws InvalidFiles, EngineError with file and line; migrations applied before the failure remain applied
   */
  async apply(call: CallMetadata): Promise<Applied> {
    const { metadataPath, migrationsPath } = this.#settings;
    const files = await readCatalog(metadataPath);
    if ("diagnostic" in files) throw new InvalidFiles([diagnosticText(files.diagnostic, files.place)]);
    const isFirst = this.#reported === undefined;
    this.#reported ??= await this.#analyzed(call, await servedCatalog(call));
    const before = this.#reported;
    const response = await withToolLock(call, lock, async (ensureAlone) => {
      const document = await readMetadataDirectory(metadataPath);
      await addMissingSources(call, document.metadata, printed);
      // A new migration may still be empty.
      const applied = await applyPending(call, migrationsPath, {
        ensureAlone,
        output: printed,
        isSelected: ({ up }) => hasStatement(up),
      });
      ensureAlone();
      // The console wrote these files. Replacing the metadata would make the console's next change a conflict.
      if (applied === 0 && !isFirst && isSame(files.catalog, await servedCatalog(call))) {
        return { inconsistent_objects: await call({ type: "get_inconsistent_metadata", args: {} }) };
      }
      return replaceMetadata(call, document, {
        allowInconsistent: true,
        output: printed,
        describe: async (list) => list,
      });
    });
    const after = await this.#analyzed(call, files);
    refuseLostSource(before, after);
    this.#reported = after;
    return {
      changes: accessChanges(sideOf("before", before).access, sideOf("after", after).access),
      broken: brokenOperations(before, after),
      inconsistent: [...after.inconsistent, ...serverInconsistencies(response, after, files)],
    };
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
function serverInconsistencies(response: Json, { analysis }: AnalyzedProgram, files: CatalogFiles): readonly string[] {
  const known = new Set(analysis.inconsistencies.map(({ name }) => name));
  const listed =
    isObject(response) && Array.isArray(response.inconsistent_objects) ? response.inconsistent_objects : [];
  return redactor()(listed)
    .filter(isObject<Json>)
    .filter(({ name }) => typeof name === "string" && !known.has(name))
    .map(({ name, reason }) => `${placeOf(files, String(name)) || "inconsistent "}${String(name)}: ${String(reason)}`);
}
