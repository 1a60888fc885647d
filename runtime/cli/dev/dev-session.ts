/** Brings a server to the state of the project's files, again and again, and tells what that changes for each role. */

import type { Inconsistency } from "../../../compiler/2-analyze/inconsistency.ts";
import { exportMetadata } from "../../../compiler/catalog/canonical.ts";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
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
import { exportedBy } from "../handlers/handlers-input.ts";
import { shapesOfServer } from "../handlers/server-shapes.ts";
import { replaceMetadata } from "../metadata/apply-metadata.ts";
import { InvalidFiles } from "../metadata/metadata-files.ts";
import { readMetadataDirectory } from "../metadata-directory/read.ts";
import { hasStatement } from "../migrations/migration-files.ts";
import { withToolLock } from "../migrations/tool-lock.ts";
import { brokenOperations } from "../plan/broken-operations.ts";
import { diagnosticText } from "../problem-text.ts";
import type { CallMetadata } from "../project/client.ts";
import { printed } from "../project/output.ts";
import type { Settings } from "../project/settings.ts";
import { roleChangeLines } from "./role-changes.ts";

/** How long another tool may take, such as a deployment. */
const lock = { command: "engine dev", waitSeconds: 600 };

export class DevSession {
  readonly #settings: Settings;
  /** What was told last, or what the server served at first. */
  #told: AnalyzedProgram | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * Applies migrations that have a statement, and the metadata.
   * @returns lines about what changes for each role, and what is inconsistent
   * @throws InvalidFiles, EngineError with file and line; what was applied before stays
   */
  async apply(call: CallMetadata): Promise<readonly string[]> {
    const { metadataPath, migrationsPath } = this.#settings;
    const files = await readCatalog(metadataPath);
    if ("diagnostic" in files) throw new InvalidFiles([diagnosticText(files.diagnostic, files.place)]);
    const isFirst = this.#told === undefined;
    this.#told ??= await this.#analyzed(call, await servedCatalog(call));
    const before = this.#told;
    const answer = await withToolLock(call, lock, async (ensureAlone) => {
      const document = await readMetadataDirectory(metadataPath);
      await addMissingSources(call, document.metadata, printed);
      // A file that was only just made has nothing to run yet.
      const applied = await applyPending(call, migrationsPath, {
        ensureAlone,
        output: printed,
        isWanted: ({ up }) => hasStatement(up),
      });
      ensureAlone();
      // The console has changed it, and written the files; another change would count as one that came between.
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
    this.#told = after;
    const changes = accessChanges(sideOf("before", before).access, sideOf("after", after).access);
    return [
      ...roleChangeLines(changes, brokenOperations(before, after)),
      ...after.inconsistent,
      ...knownToServer(answer, after, files),
    ];
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
 * A database that could be read before and cannot be now is away: what its roles lose by that is not worth telling.
 * @throws EngineError
 */
function refuseLostSource(before: AnalyzedProgram, after: AnalyzedProgram): void {
  const isLost = ({ id }: Inconsistency): boolean => id.kind === "source" && before.analysis.sources.has(id.source);
  const lost = after.analysis.inconsistencies.find(isLost);
  if (lost === undefined) return;
  throw new EngineError("connection error", "$", `${lost.name} is away: ${lost.reason}`);
}

function isSame(left: Catalog, { catalog: right }: CatalogFiles): boolean {
  return stringifyJson(exportMetadata(left)) === stringifyJson(exportMetadata(right));
}

/** The server's metadata as if it were files. */
async function servedCatalog(call: CallMetadata): Promise<CatalogFiles> {
  const { metadata } = await exportedBy(call);
  const read = readMetadataDocument(metadata, emptyCatalog);
  const catalog: Catalog = read.ok ? read.value : emptyCatalog;
  return { catalog, document: metadata, place: (path) => path };
}

/** What only the server finds: variables that it lacks, remote schemas that do not answer. */
function knownToServer(answer: Json, { analysis }: AnalyzedProgram, files: CatalogFiles): readonly string[] {
  const known = new Set(analysis.inconsistencies.map(({ name }) => name));
  const listed = isObject(answer) && Array.isArray(answer.inconsistent_objects) ? answer.inconsistent_objects : [];
  return redactor()(listed)
    .filter(isObject<Json>)
    .filter(({ name }) => typeof name === "string" && !known.has(name))
    .map(({ name, reason }) => `${placeOf(files, String(name)) || "inconsistent "}${String(name)}: ${String(reason)}`);
}
