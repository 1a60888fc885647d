/** Binds the permissions of one table, with their column presets: checks them and resolves all names. */
import type {
  BoolExp,
  ColumnList,
  DeletePermission,
  InsertPermission,
  JsonObject,
  Permission,
  SelectPermission,
  UpdatePermission,
  ValidateInput,
} from "../catalog/model.ts";
import type { ColumnShape } from "../shape/shape.ts";
import type {
  AnalyzedColumn,
  AnalyzedComputedField,
  AnalyzedDelete,
  AnalyzedInsert,
  AnalyzedSelect,
  AnalyzedUpdate,
  Operand,
  Predicate,
  Presets,
} from "./analyzed-table.ts";
import { bindValue } from "./comparisons.ts";
import { refuseForeignVariables } from "./foreign-variables.ts";
import type { OtherSources, PredicateScope, Uses } from "./predicate-scope.ts";
import { always, bindPredicate } from "./predicates.ts";
import { reject, rejectUnknown } from "./rejection.ts";
import { checkJoins } from "./rules/distributed-rows.ts";
import { checkHeaders, checkUrl } from "./rules/environment.ts";
import type { SourceContext } from "./source-context.ts";
import type { ColumnEntry, TableFields, TablesByKey } from "./table-fields.ts";
import type { TableBase } from "./tables.ts";

/** Table of a permission, and the record of its dependencies. */
export interface PermissionScope {
  readonly context: SourceContext;
  readonly tables: TablesByKey;
  readonly table: TableFields;
  readonly uses: Uses;
  readonly others: OtherSources;
}

/** @throws Rejection, like the other functions of this file */
export function bindSelect(scope: PermissionScope, permission: Permission<SelectPermission>): AnalyzedSelect {
  const { role, permission: given } = permission;
  checkRole(role);
  const columns = listedColumns(scope, given.columns, () => "permissions for relationships are automatically inferred");
  const computedFields = listedComputedFields(scope, given.computed_fields ?? []);
  const filter = rowFilter(scope, given.filter, "filter");
  if (given.limit != null && given.limit < 0) reject("unexpected negative value");
  checkRootFields(scope.table.base, role, columns, given);
  return {
    role,
    permission,
    columns,
    computedFields,
    filter,
    limit: given.limit ?? undefined,
    aggregations: given.allow_aggregations ?? false,
    queryRootFields: given.query_root_fields ?? null,
    subscriptionRootFields: given.subscription_root_fields ?? null,
  };
}

export function bindInsert(scope: PermissionScope, permission: Permission<InsertPermission>): AnalyzedInsert {
  const { role, permission: given } = permission;
  checkRole(role);
  const columns = writableColumns(scope, given.columns ?? "*", "insert");
  checkWebhook(scope, given.validate_input);
  const check = rowFilter(scope, given.check, "check");
  const presets = bindPresets(scope, given.set ?? {}, "insert");
  return { role, permission, columns: withoutPresets(columns, presets), check, presets };
}

export function bindUpdate(scope: PermissionScope, permission: Permission<UpdatePermission>): AnalyzedUpdate {
  const { role, permission: given } = permission;
  checkRole(role);
  const columns = writableColumns(scope, given.columns, "update");
  checkWebhook(scope, given.validate_input);
  const filter = rowFilter(scope, given.filter, "filter");
  const check = given.check == null ? always : rowFilter(scope, given.check, "check");
  const presets = bindPresets(scope, given.set ?? {}, "update");
  return { role, permission, columns: withoutPresets(columns, presets), filter, check, presets };
}

export function bindDelete(scope: PermissionScope, permission: Permission<DeletePermission>): AnalyzedDelete {
  const { role, permission: given } = permission;
  checkRole(role);
  checkWebhook(scope, given.validate_input);
  return { role, permission, filter: rowFilter(scope, given.filter, "filter") };
}

function checkRole(role: string): void {
  if (role === "admin") reject("cannot define permission for admin role");
}

/** Checks that environment variables used by a webhook exist. */
function checkWebhook({ context }: PermissionScope, validation: ValidateInput | undefined): void {
  if (validation === undefined) return;
  const { environment } = context.options;
  checkUrl(validation.definition.url, environment);
  checkHeaders(validation.definition.headers, environment);
}

/** @param path path of the expression in the permission */
function rowFilter(
  { context, tables, table, uses, others }: PermissionScope,
  expression: BoolExp,
  path: string,
): Predicate {
  refuseForeignVariables(expression, path, context.options.sessionAlias);
  const scope: PredicateScope = { context, tables, root: table, row: table, uses, others };
  const predicate = bindPredicate(scope, expression);
  if (context.isDistributed) checkJoins(predicate, table, tables, path === "check");
  return predicate;
}

/** @param noColumn builds the error for a field that is not a column */
function listedColumns(scope: PermissionScope, list: ColumnList, noColumn: () => string): readonly AnalyzedColumn[] {
  const { columns } = scope.table.base;
  if (list === "*") return columns;
  const isListed = new Uint8Array(columns.length);
  for (const name of list) {
    const entry = columnNamed(scope, name, noColumn);
    scope.uses.column(entry);
    isListed[entry.index] = 1;
  }
  return columns.filter((_, index) => isListed[index] === 1);
}

function columnNamed({ table }: PermissionScope, name: string, noColumn: () => string): ColumnEntry {
  const entry = table.columns.get(name);
  if (entry !== undefined) return entry;
  if (table.relationships.has(name) || table.computedFields.has(name)) return reject(noColumn());
  return rejectUnknown(`"${name}" does not exist`, name, table.columns.keys());
}

function listedComputedFields(
  { context, table, uses }: PermissionScope,
  names: readonly string[],
): AnalyzedComputedField[] {
  const listed = new Set(names);
  for (const name of listed) {
    const field = table.computedFields.get(name);
    if (field === undefined) {
      const { source, table: owner } = table.base;
      const lacks = { kind: "computed_field", source, table: owner.table, name } as const;
      return rejectUnknown(`computed field "${name}" does not exist`, name, table.computedFields.keys(), lacks);
    }
    checkIsScalar(field, context);
    uses.field(table, "computed_field", name);
  }
  return [...table.computedFields.values()].filter(({ name }) => listed.has(name));
}

type Write = "insert" | "update";

/** Returns the columns of a list that requests can write. Columns that only the database writes are left out. */
function writableColumns(scope: PermissionScope, list: ColumnList, write: Write): readonly AnalyzedColumn[] {
  return listedColumns(scope, list, () => onlyColumns(write)).filter(({ shape }) => isWritable(shape));
}

function onlyColumns(write: Write): string {
  return `Only table columns can have ${write} permissions defined, not relationships or other field types`;
}

function isWritable({ generated, identity }: ColumnShape): boolean {
  return !generated && identity !== "always";
}

/** Refuses a preset for a column that only the database writes: every statement would fail. */
function checkCanBePreset(column: ColumnShape, write: Write): void {
  if (isWritable(column)) return;
  const able = write === "insert" ? "insertable" : "updatable";
  reject(`Column "${column.name}" is not ${able} and so cannot have ${write} permissions defined`);
}

function bindPresets(scope: PermissionScope, set: JsonObject, write: Write): Presets {
  refuseForeignVariables(set, "set", scope.context.options.sessionAlias);
  const values = new Map<AnalyzedColumn, Operand>();
  for (const [name, value] of Object.entries(set)) {
    const entry = columnNamed(scope, name, () => onlyColumns(write));
    checkCanBePreset(entry.column.shape, write);
    const { context } = scope;
    const operand = bindValue(context, context.comparedType(entry.column.shape.type).scalar, value);
    scope.uses.column(entry, operand.kind === "literal");
    values.set(entry.column, operand);
  }
  return scope.table.base.columns.flatMap((column) => {
    const value = values.get(column);
    return value === undefined ? [] : [{ column, value }];
  });
}

function withoutPresets(columns: readonly AnalyzedColumn[], presets: Presets): readonly AnalyzedColumn[] {
  if (presets.length === 0) return columns;
  const preset = new Set(presets.map(({ column }) => column));
  return columns.filter((column) => !preset.has(column));
}

function checkIsScalar({ name, returns, function: shape }: AnalyzedComputedField, context: SourceContext): void {
  if (returns.kind === "scalar" || shape.returnsTable === null) return;
  reject(
    `select permissions on computed field "${name}" are auto-derived from the permissions on its returning table "${context.print(shape.returnsTable)}" and cannot be specified manually`,
  );
}

/** @throws Rejection if the permission does not grant enough for a listed field */
function checkRootFields(
  { source, displayName, primaryKey }: TableBase,
  role: string,
  columns: readonly AnalyzedColumn[],
  { query_root_fields, subscription_root_fields, allow_aggregations }: SelectPermission,
): void {
  const listed = new Set<string>([...(query_root_fields ?? []), ...(subscription_root_fields ?? [])]);
  const readsKey = primaryKey.length > 0 && primaryKey.every((column) => columns.includes(column));
  if (listed.has("select_by_pk") && !readsKey) {
    reject(
      `The "select_by_pk" field cannot be included in the query_root_fields or subscription_root_fields because the role "${role}" does not have access to the primary key of the table "${displayName}" in the source "${source}"`,
    );
  }
  if (listed.has("select_aggregate") && allow_aggregations !== true) {
    reject(
      'The "select_aggregate" root field can only be enabled in the query_root_fields or  the subscription_root_fields when "allow_aggregations" is set to true',
    );
  }
}
