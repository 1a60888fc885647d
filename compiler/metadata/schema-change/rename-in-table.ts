/** Renames in a table of the metadata and in everything it owns. */
import type { AnalyzedSource } from "../../2-analyze/analysis.ts";
import type {
  ArrayUsing,
  BoolExp,
  ColumnList,
  ComputedField,
  EventCondition,
  EventTrigger,
  ForeignKeyOnOther,
  JsonObject,
  ManualConfiguration,
  ObjectUsing,
  Permission,
  QualifiedName,
  Table,
  TableConfig,
} from "../../catalog/model.ts";
import { set } from "../edit.ts";
import { isJsonObject, isList, mapItems, mapMembers, type Owner, renameInExpression } from "../rename-in-expression.ts";
import { renameInRemoteRelationship } from "./rename-in-remote-relationship.ts";
import type { Renames } from "./renames.ts";

interface Scope {
  readonly renames: Renames;
  readonly analyzed: AnalyzedSource;
  /** Old name of the table that is rewritten. */
  readonly own: QualifiedName;
}

/** Returns the table with the new names, or the same object if nothing in it was renamed. */
export function renameInTable(renames: Renames, analyzed: AnalyzedSource, table: Table): Table {
  const scope: Scope = { renames, analyzed, own: table.table };
  const { configuration } = table;
  const permissions = <P extends Names>(list: readonly Permission<P>[]) =>
    mapItems(list, (each) => set(each, "permission", renameInPermission(scope, each.permission)));
  const next: Table = {
    ...table,
    table: renames.table(table.table),
    ...(configuration !== undefined && { configuration: renameInConfiguration(scope, configuration) }),
    object_relationships: mapItems(table.object_relationships, (each) =>
      set(each, "using", renameInObjectUsing(scope, each.using)),
    ),
    array_relationships: mapItems(table.array_relationships, (each) =>
      set(each, "using", renameInArrayUsing(scope, each.using)),
    ),
    computed_fields: mapItems(table.computed_fields, (field) => renameInComputedField(scope, field)),
    remote_relationships: mapItems(table.remote_relationships, (each) =>
      set(each, "definition", renameInRemoteRelationship(renames, table.table, each.definition)),
    ),
    insert_permissions: permissions(table.insert_permissions),
    select_permissions: permissions(table.select_permissions),
    update_permissions: permissions(table.update_permissions),
    delete_permissions: permissions(table.delete_permissions),
    event_triggers: mapItems(table.event_triggers, (trigger) => renameInEventTrigger(scope, trigger)),
  };
  return isSame(table, next) ? table : next;
}

/** Returns true if all properties are identical. */
function isSame<T extends object>(before: T, after: T): boolean {
  return (Object.keys(after) as (keyof T)[]).every((key) => before[key] === after[key]);
}

function renameInConfiguration({ renames, own }: Scope, configuration: TableConfig): TableConfig {
  const { column_config, custom_column_names } = configuration;
  const rename = <V>(columns: Readonly<Record<string, V>>) =>
    mapMembers(columns, (name, value) => [renames.column(own, name), value]);
  const next: TableConfig = {
    ...configuration,
    ...(column_config !== undefined && { column_config: rename(column_config) }),
    ...(custom_column_names !== undefined && { custom_column_names: rename(custom_column_names) }),
  };
  return isSame(configuration, next) ? configuration : next;
}

function renameInComputedField({ renames, own }: Scope, field: ComputedField): ComputedField {
  const { definition } = field;
  const { argument_mapping: mapping, return_table: returned } = definition;
  const next: ComputedField["definition"] = {
    ...definition,
    function: renames.function(definition.function),
    ...(mapping !== undefined && {
      argument_mapping: mapMembers(mapping, (name, column) => [name, renames.column(own, column)]),
    }),
    ...(returned !== undefined && { return_table: renames.table(returned) }),
  };
  return isSame(definition, next) ? field : set(field, "definition", next);
}

/** Renames the columns that an event trigger listens to, delivers, compares and orders by. */
function renameInEventTrigger(scope: Scope, trigger: EventTrigger): EventTrigger {
  const { renames, own } = scope;
  const columns = renames.columns(own);
  if (columns.size === 0) return trigger;
  const definition = mapMembers(trigger.definition, (operation, value) => {
    if (!isJsonObject(value)) return [operation, value];
    const lists = mapMembers(value, (key, list) => {
      if (!isList(list)) return [key, list];
      return [key, mapItems(list, (name) => (typeof name === "string" ? renames.column(own, name) : name))];
    });
    return [operation, lists];
  });
  const { condition, ordering } = trigger;
  const next: EventTrigger = {
    ...trigger,
    definition,
    ...(condition !== undefined && { condition: renameInCondition(scope, condition) }),
    ...(ordering !== undefined && { ordering: set(ordering, "key", renameColumnList(renames, own, ordering.key)) }),
  };
  return isSame(trigger, next) ? trigger : next;
}

function renameInCondition(scope: Scope, condition: EventCondition): EventCondition {
  const { old, new: fresh, _and, _or, _not } = condition;
  const list = (items: readonly EventCondition[]) => mapItems(items, (item) => renameInCondition(scope, item));
  const next: EventCondition = {
    ...condition,
    ...(old !== undefined && { old: renameInFilter(scope, old) }),
    ...(fresh !== undefined && { new: renameInFilter(scope, fresh) }),
    ...(_and !== undefined && { _and: list(_and) }),
    ...(_or !== undefined && { _or: list(_or) }),
    ...(_not !== undefined && { _not: renameInCondition(scope, _not) }),
  };
  return isSame(condition, next) ? condition : next;
}

// ---------------------------------------------------------------- permissions

/** Parts of a permission of any kind that contain names. */
interface Names {
  readonly columns?: ColumnList;
  readonly filter?: BoolExp;
  readonly check?: BoolExp | null;
  readonly set?: JsonObject;
}

function renameInPermission<P extends Names>(scope: Scope, permission: P): P {
  const { renames, own } = scope;
  const { columns, filter, check, set: presets }: Names = permission;
  const expression = (given: BoolExp) => renameInFilter(scope, given);
  const next: P = {
    ...permission,
    ...(columns !== undefined && { columns: renameColumnList(renames, own, columns) }),
    ...(filter !== undefined && { filter: expression(filter) }),
    ...(check != null && { check: expression(check) }),
    ...(presets !== undefined && {
      set: mapMembers(presets, (name, value) => [renames.column(own, name), value]),
    }),
  };
  return isSame(permission, next) ? permission : next;
}

function renameInFilter({ renames: { names, defaultSchema }, analyzed, own }: Scope, filter: BoolExp): BoolExp {
  return renameInExpression({ names, analyzed, defaultSchema, root: own, row: own }, filter);
}

function renameColumnList<L extends ColumnList>(
  renames: Renames,
  own: QualifiedName,
  columns: L,
): L | readonly string[] {
  return typeof columns === "string" ? columns : mapItems(columns, (name) => renames.column(own, name));
}

// ---------------------------------------------------------------- relationships

function renameInObjectUsing(scope: Scope, using: ObjectUsing): ObjectUsing {
  if ("manual_configuration" in using) return renameInManual(scope, using);
  const on = using.foreign_key_constraint_on;
  const column = (name: string) => scope.renames.column(scope.own, name);
  if (typeof on === "string") return set(using, "foreign_key_constraint_on", column(on));
  if (isNameList(on)) return set(using, "foreign_key_constraint_on", mapItems(on, column));
  return set(using, "foreign_key_constraint_on", renameInForeignKey(scope, on));
}

function isNameList(on: readonly string[] | ForeignKeyOnOther): on is readonly string[] {
  return Array.isArray(on);
}

function renameInArrayUsing(scope: Scope, using: ArrayUsing): ArrayUsing {
  if ("manual_configuration" in using) return renameInManual(scope, using);
  return set(using, "foreign_key_constraint_on", renameInForeignKey(scope, using.foreign_key_constraint_on));
}

function renameInForeignKey({ renames }: Scope, key: ForeignKeyOnOther): ForeignKeyOnOther {
  const { table, column, columns } = key;
  const next: ForeignKeyOnOther = {
    ...key,
    table: renames.table(table),
    ...(column !== undefined && { column: renames.column(table, column) }),
    ...(columns !== undefined && { columns: mapItems(columns, (name) => renames.column(table, name)) }),
  };
  return isSame(key, next) ? key : next;
}

function renameInManual<U extends { readonly manual_configuration: ManualConfiguration }>(
  { renames, own }: Scope,
  using: U,
): U {
  return set(using, "manual_configuration", renameInManualConfiguration(renames, own, using.manual_configuration));
}

/**
 * Renames in a manual configuration.
 * @param own the table whose columns are mapped; `undefined` if fields of another kind of object are mapped
 */
export function renameInManualConfiguration(
  renames: Renames,
  own: Owner,
  manual: ManualConfiguration,
): ManualConfiguration {
  const { remote_table, column_mapping } = manual;
  const next: ManualConfiguration = {
    ...manual,
    ...(remote_table !== undefined && { remote_table: renames.table(remote_table) }),
    column_mapping: mapMembers(column_mapping, (from, to) => [
      renames.column(own, from),
      renames.column(remote_table, to),
    ]),
  };
  return isSame(manual, next) ? manual : next;
}
