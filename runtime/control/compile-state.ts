/** Metadata and databases → a state: introspects what has to be looked at and analyses the whole. */
import type { Analysis, AnalysisOptions } from "../../compiler/2-analyze/analysis.ts";
import { analyze } from "../../compiler/2-analyze/analyze.ts";
import type { Catalog } from "../../compiler/catalog/model.ts";
import type { Introspections } from "./source-registry.ts";
import { engineError } from "./thrown.ts";

/**
 * @param path of the operation, for the error
 * @throws EngineError when the metadata cannot be served at all, such as two root fields of one name
 */
export function analysisOf(
  catalog: Catalog,
  introspected: Introspections,
  options: AnalysisOptions,
  path: string,
  previous?: Analysis,
): Analysis {
  const introspections = new Map([...introspected].map(([name, { introspection }]) => [name, introspection]));
  const analysis = analyze({ catalog, introspections, options, ...(previous && { previous }) });
  if (!analysis.ok) throw engineError(analysis.error).at(path);
  return analysis.value;
}
