/** The parts of the Analysis that the root fields of one table for one role depend on. */
import type { AnalysisOptions } from "../2-analyze/analysis.ts";
import type { AnalyzedColumn, AnalyzedSelect, AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import type { QualifiedName, SourceKind } from "../catalog/model.ts";
import { isVisible } from "./role-tables.ts";
import { type WriteRootInputs, writeRootInputs } from "./write-inputs.ts";

export interface RootInputs extends HiddenRoots {
  readonly source: string;
  readonly kind: SourceKind;
  readonly table: QualifiedName;
  readonly rootFields: AnalyzedTable["rootFields"];
  readonly connectionField: AnalyzedTable["connectionField"];
  /** True if the metadata makes it an entity of Apollo federation. */
  readonly isEntity: boolean;
  readonly primaryKey: readonly AnalyzedColumn[];
  readonly readable: boolean;
  /** `undefined` for `admin`. */
  readonly select: AnalyzedSelect | undefined;
  readonly writes: WriteRootInputs;
}

/** The experimental features `hide_update_many_fields` and `hide_stream_fields`. */
export interface HiddenRoots {
  readonly hideUpdateMany: boolean;
  readonly hideStreams: boolean;
}

export function hiddenRoots({ experimentalFeatures }: Pick<AnalysisOptions, "experimentalFeatures">): HiddenRoots {
  return {
    hideUpdateMany: experimentalFeatures.has("hide_update_many_fields"),
    hideStreams: experimentalFeatures.has("hide_stream_fields"),
  };
}

/** @param kind the kind of the table's source */
export function rootInputs(kind: SourceKind, table: AnalyzedTable, role: string, hidden: HiddenRoots): RootInputs {
  return {
    source: table.source,
    kind,
    table: table.table.table,
    rootFields: table.rootFields,
    connectionField: table.connectionField,
    isEntity: table.table.apollo_federation_config !== undefined,
    primaryKey: table.primaryKey,
    readable: isVisible(table, role),
    select: table.select.get(role),
    writes: writeRootInputs(table, role),
    ...hidden,
  };
}
