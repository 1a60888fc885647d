/** The parts of the Analysis that the root fields of one table for one role depend on. */

import { invariant } from "../../runtime/values/errors.ts";
import type { Analysis } from "../2-analyze/analysis.ts";
import type { AnalyzedColumn, AnalyzedSelect, AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import { isGroupLeftOut } from "../2-analyze/rules/group-fields.ts";
import type { QualifiedName, SourceKind } from "../catalog/model.ts";
import { isVisible } from "./role-tables.ts";
import { type WriteRootInputs, writeRootInputs } from "./write-inputs.ts";

export interface RootInputs extends Omit<HiddenRoots, "leftOutGroups"> {
  readonly source: string;
  readonly kind: SourceKind;
  readonly table: QualifiedName;
  readonly rootFields: NonNullable<AnalyzedTable["rootFields"]>;
  readonly connectionField: AnalyzedTable["connectionField"];
  /** True if the metadata makes it an entity of Apollo federation. */
  readonly isEntity: boolean;
  readonly primaryKey: readonly AnalyzedColumn[];
  readonly readable: boolean;
  /** `undefined` for `admin`. */
  readonly select: AnalyzedSelect | undefined;
  readonly writes: WriteRootInputs;
  /** True if another root field has the name of the table's groups. */
  readonly hideGroups: boolean;
}

/** The experimental features `hide_update_many_fields` and `hide_stream_fields`, and names that are in use. */
export interface HiddenRoots {
  readonly hideUpdateMany: boolean;
  readonly hideStreams: boolean;
  readonly leftOutGroups: Analysis["leftOutGroups"];
}

export function hiddenRoots({
  options: { experimentalFeatures },
  leftOutGroups,
}: Pick<Analysis, "options" | "leftOutGroups">): HiddenRoots {
  return {
    leftOutGroups,
    hideUpdateMany: experimentalFeatures.has("hide_update_many_fields"),
    hideStreams: experimentalFeatures.has("hide_stream_fields"),
  };
}

/**
 * @param kind the kind of the table's source
 * @param table a table of the schema
 */
export function rootInputs(
  kind: SourceKind,
  table: AnalyzedTable,
  role: string,
  { leftOutGroups, ...hidden }: HiddenRoots,
): RootInputs {
  invariant(table.rootFields, `${table.displayName} is in the schema`);
  return {
    hideGroups: isGroupLeftOut(leftOutGroups, table),
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
