/** Lists of inconsistent objects: those of a server, and those of files. */
import { entryWithCause } from "../../../compiler/2-analyze/inconsistency.ts";
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { isObject } from "../../values/is-object.ts";
import { redactor } from "../../values/redact-metadata.ts";
import { foldedByCause, inconsistencyText } from "../problem-text.ts";
import type { CallMetadata } from "../project/client.ts";
import { printable } from "../project/output.ts";
import { analyzeFiles, type FilesToAnalyze } from "./analyze-files.ts";

export interface InconsistencyList {
  /** As the metadata API describes them, without secrets. */
  readonly entries: readonly Json[];
  /** One line for each entry. */
  readonly lines: readonly string[];
}

export async function inconsistenciesOfServer(call: CallMetadata): Promise<InconsistencyList> {
  return inconsistencyList(await call({ type: "get_inconsistent_metadata", args: { causes: true } }));
}

/** @throws InvalidFiles, EngineError */
export async function inconsistenciesOfFiles(files: FilesToAnalyze): Promise<InconsistencyList> {
  const { inconsistencies, catalog, place } = await analyzeFiles(files);
  return {
    entries: redactor()(inconsistencies.map(entryWithCause)),
    lines: inconsistencies.map((each) => printable(inconsistencyText(each, catalog, place))),
  };
}

/** Returns the lines with dependents of one cause as a count. */
export function foldedLines({ entries, lines }: InconsistencyList): readonly string[] {
  const causes = entries.map((entry) => (isObject<Json>(entry) ? entry.caused_by : undefined));
  return foldedByCause(
    lines,
    causes.map((cause) => (typeof cause === "string" ? cause : undefined)),
  );
}

/** What an answer of the metadata API lists: the bare list, or the one in `inconsistent_objects`. */
export function inconsistencyList(answer: Json | undefined): InconsistencyList {
  const listed = isObject(answer) ? answer.inconsistent_objects : answer;
  const entries = redactor()(Array.isArray(listed) ? listed : []);
  return { entries, lines: entries.filter(isObject<Json>).map((entry) => printable(entryText(entry))) };
}

/** Entries of several objects name them all, those without names their type. */
function entryText({ name, type, objects, reason }: JsonObject): string {
  const several = Array.isArray(objects) ? objects.filter(isObject<Json>).map((object) => String(object.name)) : [];
  const what = several.length > 0 ? several.join(", ") : String(name ?? type ?? "metadata");
  return `${what}: ${String(reason)}`;
}
