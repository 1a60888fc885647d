/** The parts of the Analysis that the module of one role for one table, or for native rows, depends on. */
import type { AnalyzedSource } from "../2-analyze/analysis.ts";
import type {
  AnalyzedColumn,
  AnalyzedRelationship,
  AnalyzedSelect,
  AnalyzedTable,
  Predicate,
} from "../2-analyze/analyzed-table.ts";
import { referencesIn } from "../2-analyze/permission-references.ts";
import { partsOf } from "../2-analyze/predicate-parts.ts";
import type { BoolExp, QualifiedName, SourceKind } from "../catalog/model.ts";
import { adminRole } from "./admin-role.ts";
import { type ComputedInputs, visibleComputedFields } from "./function-inputs.ts";
import type { RowsName } from "./ir.ts";
import { type NativeRows, nativeName } from "./native-rows.ts";
import {
  isReadable,
  type RelationshipInputs,
  readableQueries,
  relationshipsOfRows,
  targetInSchema,
} from "./relationship-inputs.ts";
import {
  type RemoteRelationshipInputs,
  type RemoteRelationshipParts,
  remoteRelationshipsOfTable,
} from "./remote-relationship-inputs.ts";
import { isUsable, isVisible } from "./role-tables.ts";
import { sameValue } from "./same-value.ts";
import { type WriteInputs, writeInputs, writePredicates } from "./write-inputs.ts";

export interface ViewInputs {
  readonly role: string;
  readonly source: string;
  readonly kind: SourceKind;
  readonly table: RowsName;
  /** Columns that the role may read. */
  readonly columns: readonly AnalyzedColumn[];
  /** `undefined` for `admin`. */
  readonly select: AnalyzedSelect | undefined;
  /** Relationships whose target the role may read. */
  readonly relationships: readonly VisibleRelationship[];
  /** Remote relationships whose target the role may query. */
  readonly remoteRelationships: readonly RemoteRelationshipInputs[];
  /** Computed fields that the role may read. */
  readonly computedFields: readonly ComputedInputs[];
  /** True if the role may select from the table. */
  readonly readable: boolean;
  readonly writes: WriteInputs;
  /** The tables that row filters and checks refer to, by key. */
  readonly filterTables: Readonly<Record<string, QualifiedName>>;
  /** Keys of the tables that `_permitted` connects and that the role may know. */
  readonly viewedTables: readonly string[];
}

interface VisibleRelationship {
  readonly relationship: AnalyzedRelationship;
  readonly target: RowsName;
  /** Replaces the default description. */
  readonly description?: string;
  readonly aggregations: boolean;
  /** True if a target row that the role may read always exists: the field is non-null. */
  readonly required: boolean;
  /**
   * Set if the role may read every target row of a row that it may read, so that the target's filter can be skipped.
   * `null` for the merged permissions of an inherited role.
   */
  readonly visibleWithRow?: { readonly filter: BoolExp | null };
}

export function viewInputs(
  parts: RemoteRelationshipParts,
  source: AnalyzedSource,
  table: AnalyzedTable,
  role: string,
): ViewInputs {
  const select = table.select.get(role);
  const readable = isVisible(table, role);
  const writes = writeInputs(source, table, role);
  const predicates = [...(select ? [select.filter] : []), ...writePredicates(writes)];
  return {
    role,
    source: source.name,
    kind: source.source.kind,
    table: table.table.table,
    columns: role === adminRole ? table.columns : (select?.columns ?? []),
    select,
    relationships: readable ? visibleRelationships(source, table, role) : [],
    remoteRelationships: readable ? remoteRelationshipsOfTable(parts, source, table, role) : [],
    computedFields: visibleComputedFields(source, table, role),
    readable,
    writes,
    filterTables: filterTables(source, predicates),
    viewedTables: viewedTables(source, predicates, role),
  };
}

/** Collects the inputs of a role's module for native rows. */
export function nativeRowsViewInputs(source: AnalyzedSource, rows: NativeRows, role: string): ViewInputs {
  const { model } = rows;
  const select = model.select.get(role);
  return {
    role,
    source: source.name,
    kind: source.source.kind,
    table: nativeName(rows),
    columns: (role === adminRole ? model.columns : (select?.columns ?? [])).filter((each) => each.model === undefined),
    select,
    relationships: relationshipsOfRows(source, rows)
      .filter(({ target }) => isReadable(source, target, role))
      .filter(({ document }) => document === undefined || select === undefined || grantsColumn(select, document.column))
      .map(toRows),
    remoteRelationships: [],
    computedFields: [],
    readable: true,
    writes: {},
    filterTables: filterTables(source, select ? [select.filter] : []),
    viewedTables: [],
  };
}

/** Returns true if a permission, and each parent's for an inherited role, lists a column. */
function grantsColumn({ columns, parents = [] }: AnalyzedSelect, name: string): boolean {
  return columns.some((column) => column.name === name) && parents.every((parent) => grantsColumn(parent, name));
}

function visibleRelationships(
  source: AnalyzedSource,
  table: AnalyzedTable,
  role: string,
): readonly VisibleRelationship[] {
  const toTables = [...table.relationships.values()].flatMap((relationship): readonly VisibleRelationship[] => {
    const target = targetInSchema(source, relationship);
    if (!target || !isVisible(target, role)) return [];
    const aggregations = role === adminRole || target.select.get(role)?.aggregations === true;
    const implied = isVisibleWithRow(table, relationship, target, role) ? target.select.get(role) : undefined;
    const filter = implied?.parents ? null : implied?.permission.permission.filter;
    const visibleWithRow = filter === undefined ? {} : { visibleWithRow: { filter } };
    const required = relationship.kind === "object" && relationship.required && readsEveryRow(target, role);
    return [{ relationship, target: target.table.table, aggregations, required, ...visibleWithRow }];
  });
  return [...toTables, ...readableQueries(source, table, role).map(toRows)];
}

/** Returns true if no filter hides rows of the table from the role. */
function readsEveryRow({ select }: AnalyzedTable, role: string): boolean {
  const filter = select.get(role)?.filter;
  return filter === undefined || isAlwaysTrue(filter);
}

function isAlwaysTrue(predicate: Predicate): boolean {
  if (predicate.kind === "and") return predicate.items.every(isAlwaysTrue);
  return predicate.kind === "or" && predicate.items.some(isAlwaysTrue);
}

/** Relationships to native queries have no aggregates and are nullable. */
const toRows = ({ relationship, target, document }: RelationshipInputs): VisibleRelationship => {
  const description = relationship.comment ?? `Values of logical model "${target.name}"`;
  return { relationship, target, aggregations: false, required: false, ...(document && { description }) };
};

function filterTables(source: AnalyzedSource, predicates: readonly Predicate[]): ViewInputs["filterTables"] {
  const keys = new Set(predicates.flatMap(tablesOf));
  return Object.fromEntries(
    [...keys].sort().flatMap((key) => {
      const table = source.tables.get(key);
      return table ? [[key, table.table.table] as const] : [];
    }),
  );
}

function viewedTables(
  source: AnalyzedSource,
  predicates: readonly Predicate[],
  role: string,
): ViewInputs["viewedTables"] {
  const references = predicates.flatMap(referencesIn);
  const keys = new Set(references.flatMap(({ owner, relationship }) => [owner, relationship.target]));
  const isKnown = (table: AnalyzedTable | undefined) => table !== undefined && isUsable(table, role);
  return [...keys].filter((key) => isKnown(source.tables.get(key))).sort();
}

/** Returns the keys of the tables that a predicate refers to, without those of other sources. */
function tablesOf(predicate: Predicate): readonly string[] {
  return [...partsOf(predicate, ({ kind }) => kind !== "crossSource")].flatMap((part) => {
    switch (part.kind) {
      case "permitted":
        return [part.owner, part.relationship.target];
      case "related":
        return part.relationship.target;
      case "computed_rows":
        return part.target;
      case "exists":
        return part.table;
      default:
        return [];
    }
  });
}

/**
 * Returns true if the row filter of `table` implies the row filter of a relationship's target: each conjunct of the
 * target's filter requires a row of `table` reached by the inverse relationship, and requires nothing of it that the
 * filter of `table` does not. The parent row is then such a row.
 *
 * Valid only for stored rows within one statement: not for results of functions, rows being written, or views, which
 * are evaluated each time. Returns false if the form of the filters is not recognised.
 */
export function isVisibleWithRow(
  table: AnalyzedTable,
  relationship: AnalyzedRelationship,
  target: AnalyzedTable,
  role: string,
): boolean {
  const select = table.select.get(role);
  const related = target.select.get(role);
  if (!select || !related || !tableKinds.has(table.shape.kind)) return false;
  const required = conjuncts(related.filter);
  const guaranteed = conjuncts(select.filter);
  return (
    required.length > 0 &&
    required.every(
      (part) =>
        part.kind === "related" &&
        part.relationship.target === table.key &&
        isInverse(part.relationship, relationship) &&
        !comparesRoot(part.where) &&
        conjuncts(part.where).every((inner) => guaranteed.some((one) => sameValue(one, inner))),
    )
  );
}

/** Relations whose rows do not change within a statement. */
const tableKinds: ReadonlySet<string> = new Set(["table", "partitioned_table"]);

function conjuncts(predicate: Predicate): readonly Predicate[] {
  return predicate.kind === "and" ? predicate.items.flatMap(conjuncts) : [predicate];
}

/** Returns true if every column pair of `inverse` is, reversed, a pair of `relationship`. */
function isInverse(inverse: AnalyzedRelationship, relationship: AnalyzedRelationship): boolean {
  return inverse.mapping.every(({ local, remote }) =>
    relationship.mapping.some((pair) => pair.local === remote && pair.remote === local),
  );
}

/** Returns true if a predicate compares with a column of the root row, which differs between the two permissions. */
function comparesRoot(predicate: Predicate): boolean {
  // The root of a permitted row is that row, in both permissions. Conditions on other sources have no root.
  const ownParts = partsOf(predicate, ({ kind }) => kind !== "permitted" && kind !== "crossSource");
  return [...ownParts].some((part) => part.kind === "compare_columns" && part.right.of === "root");
}
