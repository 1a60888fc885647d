/**
 * Analyses tables without the objects they own: the tracked tables of a source and its shape → columns, keys and names
 * of the consistent tables.
 */
import { automaticDescription } from "../../runtime/model/definitions/table.ts";
import type { Table } from "../catalog/model.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { ColumnShape, TableShape } from "../shape/shape.ts";
import { type AnalyzedSource, inferredDescription, qualifiedKey } from "./analysis.ts";
import type { AnalyzedColumn, AnalyzedTable } from "./analyzed-table.ts";
import { type TableAddress, tableObject } from "./metadata-objects.ts";
import { baseName, columnField, connectionField, tableRootFields, typeName } from "./naming.ts";
import { type Findings, reject, rejectUnknown } from "./rejection.ts";
import { checkEnumTable, enumReferences } from "./rules/enum-tables.ts";
import { checkColumnFields, checkConfiguration, checkEntity } from "./rules/tables.ts";
import { share, shareList } from "./share.ts";
import type { SourceContext } from "./source-context.ts";

export type TableBase = Omit<
  AnalyzedTable,
  | "relationships"
  | "computedFields"
  | "remoteRelationships"
  | "eventTriggers"
  | "select"
  | "insert"
  | "update"
  | "delete"
  | "dangling"
  | "dependencies"
  | "inconsistencies"
>;

export type NamedTables<T = TableBase> = Pick<ReadonlyMap<string, T>, "get" | "has" | "values">;

interface Found extends TableAddress {
  readonly key: string;
  readonly tracked: Table;
  readonly shape: TableShape;
  readonly previous: AnalyzedTable | undefined;
  /** True if no input of the table's names and columns changed, except possibly enum tables. */
  readonly isReusable: boolean;
}

/** An enum table that columns may refer to. */
type EnumTable = Pick<Found, "shape" | "displayName">;

/**
 * Returns the consistent tables by key, sorted by schema and name, reusing unchanged ones of `previous`.
 * @param otherEnums enum tables of the source that are not analysed here, by key
 */
export function analyzeTables(
  context: SourceContext,
  previous: AnalyzedSource | undefined,
  findings: Findings,
  otherEnums: ReadonlyMap<string, EnumTable> = new Map(),
): ReadonlyMap<string, TableBase> {
  let remaining = trackedTables(context, previous, findings).sort(bySchemaAndName);
  for (;;) {
    const bases = new Map<string, TableBase>();
    const enums = new Map([...otherEnums, ...remaining.filter(isEnum).map((table) => [table.key, table] as const)]);
    for (const table of remaining) {
      const base = findings.attempt(
        () => tableObject(table),
        "",
        () => tableBase(context, table, enums),
      );
      if (base !== undefined) bases.set(table.key, base);
    }
    const lostEnum = remaining.some((table) => isEnum(table) && !bases.has(table.key));
    if (!lostEnum) return bases;
    // Columns must not refer to an inconsistent enum table.
    remaining = remaining.filter(({ key }) => bases.has(key));
  }
}

function isEnum({ tracked }: Found): boolean {
  return tracked.is_enum === true;
}

/** Returns the tables that exist in the database and match their metadata. */
function trackedTables(context: SourceContext, previous: AnalyzedSource | undefined, findings: Findings): Found[] {
  const hasSameNames = previous?.source.customization === context.source.customization;
  const found: Found[] = [];
  for (const [key, tables] of groupedByName(context.source.tables)) {
    const [tracked] = tables;
    if (tracked === undefined) continue;
    const address = context.addressOf(tracked.table);
    const table = findings.attempt(
      () => tableObject(address),
      "",
      (): Found => {
        if (tables.length > 1) reject("duplication definition for table");
        if (tracked.logical_model !== undefined) {
          reject(`The source "${context.source.name}" does not support schemaless tables`);
        }
        const shape = existingTable(context, key, address);
        const earlier = previous?.tables.get(key);
        if (hasSameNames && earlier?.shape === shape && isConfiguredAlike(earlier.table, tracked)) {
          return { ...address, key, tracked, shape, previous: earlier, isReusable: true };
        }
        checkConfiguration(shape, tracked.configuration ?? {}, context.dialect);
        if (tracked.is_enum === true) checkEnumTable(context.naming, shape, address.displayName);
        if (tracked.apollo_federation_config !== undefined) checkEntity(shape, address.displayName);
        return { ...address, key, tracked, shape, previous: earlier, isReusable: false };
      },
    );
    if (table !== undefined) found.push(table);
  }
  return found;
}

function isConfiguredAlike(left: Table, right: Table): boolean {
  return (
    left.configuration === right.configuration &&
    (left.is_enum === true) === (right.is_enum === true) &&
    left.apollo_federation_config === right.apollo_federation_config
  );
}

function groupedByName(tables: readonly Table[]): ReadonlyMap<string, readonly Table[]> {
  const groups = new Map<string, readonly Table[]>();
  for (const table of tables) {
    const key = qualifiedKey(table.table);
    const others = groups.get(key);
    groups.set(key, others === undefined ? [table] : [...others, table]);
  }
  return groups;
}

function existingTable(context: SourceContext, key: string, { displayName }: TableAddress): TableShape {
  const shape = context.tables.get(key);
  if (shape !== undefined) return shape;
  const candidates = [...context.tables.values()].flatMap((table) => {
    // Names in the default schema are printed unqualified, but the unknown name may be qualified.
    const qualified = displayName.includes(".") ? [`${table.schema}.${table.name}`] : [];
    return [context.print(table), ...qualified];
  });
  return rejectUnknown(`no such table/view exists in source: "${displayName}"`, displayName, candidates);
}

function bySchemaAndName({ table: left }: Found, { table: right }: Found): number {
  if (left.schema !== right.schema) return left.schema < right.schema ? -1 : 1;
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}

function tableBase(
  { naming, options, dialect }: SourceContext,
  found: Found,
  enums: ReadonlyMap<string, EnumTable>,
): TableBase {
  const { source, key, tracked, shape, displayName, previous } = found;
  const references = enumReferences(shape, displayName, enums);
  if (found.isReusable && previous?.columns.every(({ name, enumTable }) => references.get(name) === enumTable)) {
    const { graphqlName, rootFields, connectionField: field, description, columns, primaryKey } = previous;
    return {
      source,
      key,
      table: tracked,
      shape,
      displayName,
      graphqlName,
      rootFields,
      connectionField: field,
      description,
      columns,
      primaryKey,
    };
  }
  const { configuration = {}, table } = tracked;
  const columns = shareList(previous?.columns, columnsOf({ naming, options, dialect }, found, references));
  checkColumnFields(columns);
  const keyColumns = shape.primaryKey?.columns ?? [];
  const base = baseName(naming, table, configuration.custom_name);
  return {
    source,
    key,
    table: tracked,
    shape,
    displayName,
    graphqlName: base === null ? null : typeName(naming, base),
    rootFields:
      base === null
        ? null
        : share(previous?.rootFields ?? undefined, tableRootFields(naming, base, configuration.custom_root_fields)),
    connectionField: base === null ? null : connectionField(naming, base),
    description: commentOr(
      configuration.comment,
      inferredDescription(shape.comment, options) ?? automaticDescription(displayName),
    ),
    columns,
    primaryKey: shareList(
      previous?.primaryKey,
      keyColumns.flatMap((name) => columns.find((column) => column.name === name) ?? []),
    ),
  };
}

function columnsOf(
  { naming, options, dialect }: Pick<SourceContext, "naming" | "options" | "dialect">,
  { shape, tracked }: Found,
  enumReferences: ReadonlyMap<string, string>,
): readonly AnalyzedColumn[] {
  return shape.columns.map((column) => {
    const config = tracked.configuration?.column_config?.[column.name];
    return {
      name: column.name,
      field: columnField(naming, column.name, config?.custom_name),
      shape: config?.json === true ? withJson(column, dialect) : column,
      description: commentOr(config?.comment, inferredDescription(column.comment, options)),
      enumTable: enumReferences.get(column.name),
    };
  });
}

function withJson(column: ColumnShape, { jsonColumnType }: Dialect): ColumnShape {
  return { ...column, type: jsonColumnType?.(column.type) ?? column.type };
}

/**
 * Returns the comment of the metadata, or the generated text if there is none. An empty comment means no description.
 */
function commentOr(comment: string | null | undefined, automatic: string | undefined): string | undefined {
  return (comment ?? automatic) || undefined;
}
