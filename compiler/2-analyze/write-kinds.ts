/**
 * The kinds of write permissions on a table: how permissions of several roles are compared, and how they are merged. A
 * merged permission permits exactly the changes of rows that one of the merged permissions permits alone: its columns,
 * its filter for the row before the change, and its check for the row after it belong together.
 */
import { invariant } from "../../runtime/values/errors.ts";
import { stringifyJson } from "../../runtime/values/json-number.ts";
import type { DeletePermission, InsertPermission, Permission, UpdatePermission } from "../catalog/model.ts";
import {
  type AnalyzedColumn,
  type AnalyzedDelete,
  type AnalyzedInsert,
  type AnalyzedTable,
  type AnalyzedUpdate,
  keyFields,
  type Predicate,
  type Presets,
} from "./analyzed-table.ts";

/** The permissions of one kind on one object. */
export interface Grants<T> {
  /** Consistent permissions by role. */
  readonly permissions: ReadonlyMap<string, T>;
  /** All permissions in the metadata, consistent or not. */
  readonly declared: readonly { readonly role: string }[];
}

/** Reason why permissions cannot be merged. */
export class MergeFault {
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}

/** How permissions of several roles are combined. */
export interface Combination<T> {
  /** Returns a text that is equal for permissions with the same effect. */
  readonly formOf: (permission: T) => string;
  /** Merges different permissions into one of `role`; absent: they are never merged. */
  readonly merge?: (role: string, permissions: readonly T[]) => T | MergeFault;
}

export interface WriteKind<T> {
  readonly grants: (table: AnalyzedTable) => Grants<T>;
  readonly combination: (table: AnalyzedTable) => Combination<T>;
}

const insert: WriteKind<AnalyzedInsert> = {
  grants: (table) => ({ permissions: table.insert, declared: table.table.insert_permissions }),
  combination: () => ({ formOf: insertForm, merge: mergeInserts }),
};

const update: WriteKind<AnalyzedUpdate> = {
  grants: (table) => ({ permissions: table.update, declared: table.table.update_permissions }),
  combination: (table) => ({
    formOf: updateForm,
    merge: (role, permissions) => mergeUpdates(role, permissions, table),
  }),
};

const remove: WriteKind<AnalyzedDelete> = {
  grants: (table) => ({ permissions: table.delete, declared: table.table.delete_permissions }),
  combination: () => ({ formOf: deleteForm, merge: mergeDeletes }),
};

export const writeKinds = { insert, update, delete: remove } as const;

// ---------------------------------------------------------------- merging

function mergeInserts(role: string, permissions: readonly AnalyzedInsert[]): AnalyzedInsert | MergeFault {
  const parents = distinctParts(permissions, insertForm);
  const fault = sharedFault(parents);
  if (fault !== undefined) return fault;
  const { presets, permission: given } = firstOf(parents);
  const columns = columnsOf(parents);
  const permission: InsertPermission = {
    ...given.permission,
    columns: columns.map(({ name }) => name),
    check: { _or: parents.map((parent) => parent.permission.permission.check) },
  };
  const check = anyOf(parents.map((parent) => parent.check));
  return { role, permission: { role, permission }, columns, presets, check, parents };
}

function mergeUpdates(
  role: string,
  permissions: readonly AnalyzedUpdate[],
  table: AnalyzedTable,
): AnalyzedUpdate | MergeFault {
  const parents = distinctParts(permissions, updateForm);
  const fault = sharedFault(parents) ?? keyFault(parents, table);
  if (fault !== undefined) return fault;
  const { presets, permission: given } = firstOf(parents);
  const columns = columnsOf(parents);
  const checks = parents.map((parent) => parent.permission.permission.check);
  const permission: UpdatePermission = {
    ...given.permission,
    columns: columns.map(({ name }) => name),
    filter: { _or: parents.map((parent) => parent.permission.permission.filter) },
    check: checks.some((check) => check != null) ? { _or: checks.map((check) => check ?? {}) } : null,
  };
  const filter = anyOf(parents.map((parent) => parent.filter));
  const check = anyOf(parents.map((parent) => parent.check));
  return { role, permission: { role, permission }, columns, presets, filter, check, parents };
}

function mergeDeletes(role: string, permissions: readonly AnalyzedDelete[]): AnalyzedDelete | MergeFault {
  const parents = distinctParts(permissions, deleteForm);
  const fault = sharedFault(parents);
  if (fault !== undefined) return fault;
  const permission: DeletePermission = {
    ...firstOf(parents).permission.permission,
    filter: { _or: parents.map((parent) => parent.permission.permission.filter) },
  };
  return { role, permission: { role, permission }, filter: anyOf(parents.map(({ filter }) => filter)), parents };
}

const anyOf = (items: readonly Predicate[]): Predicate => ({ kind: "or", items });

/** Returns the parts of the permissions, which may be merged themselves, sorted by role, one for each form. */
function distinctParts<T extends { readonly role: string; readonly parents?: readonly T[] }>(
  permissions: readonly T[],
  formOf: (permission: T) => string,
): readonly T[] {
  const parts = permissions
    .flatMap((permission) => permission.parents ?? [permission])
    .sort((a, b) => (a.role < b.role ? -1 : 1));
  return [...new Map(parts.map((part) => [formOf(part), part] as const).reverse()).values()].reverse();
}

function firstOf<T>([first]: readonly T[]): T {
  invariant(first !== undefined, "a merged permission consists of permissions");
  return first;
}

/** Returns the union of the columns, in table order. */
function columnsOf(parents: readonly { readonly columns: readonly AnalyzedColumn[] }[]): readonly AnalyzedColumn[] {
  const columns = new Set(parents.flatMap((parent) => parent.columns));
  return [...columns].sort((a, b) => a.shape.position - b.shape.position);
}

type Shared = AnalyzedInsert | AnalyzedUpdate | AnalyzedDelete;

/** Finds a difference of members that apply to a whole statement, and so cannot depend on the row. */
function sharedFault(parents: readonly Shared[]): MergeFault | undefined {
  const differs = (of: (parent: Shared) => unknown): boolean =>
    new Set(parents.map((parent) => stringifyJson(of(parent)))).size > 1;
  const settings = ({ permission }: Shared) => permission.permission;
  if (differs((parent) => ("presets" in parent ? presetsOf(parent.presets) : []))) {
    return mergeFault(parents, "their column presets differ");
  }
  if (differs((parent) => settings(parent).backend_only ?? false)) {
    return mergeFault(parents, "only some of them are for backends only (backend_only)");
  }
  if (differs((parent) => settings(parent).validate_input ?? null)) {
    return mergeFault(parents, "their validate_input differs");
  }
  return undefined;
}

/** The check of a row depends on the row before the update, which statements find by its key. */
function keyFault(parents: readonly AnalyzedUpdate[], table: AnalyzedTable): MergeFault | undefined {
  if (keyFields(table.primaryKey) !== undefined) return undefined;
  const isAmbiguous = parents.some((left, i) =>
    parents.slice(i + 1).some((right) => {
      const shareWrites = left.presets.length > 0 || left.columns.some((column) => right.columns.includes(column));
      return shareWrites && normalForm(left.check) !== normalForm(right.check);
    }),
  );
  if (!isAmbiguous) return undefined;
  const why = `their checks differ, and ${table.displayName} has no primary key by which a row is found as it was before the update`;
  return mergeFault(parents, why);
}

function mergeFault(parents: readonly { readonly role: string }[], why: string): MergeFault {
  return new MergeFault(`the permissions of ${parents.map(({ role }) => role).join(", ")} cannot be merged: ${why}`);
}

// ---------------------------------------------------------------- comparing

function insertForm({ columns, presets, check, permission, parents }: AnalyzedInsert): string {
  if (parents) return mergedForm(parents, insertForm);
  return writeForm(permission, [namesOf(columns), presetsOf(presets), normalForm(check)]);
}

function updateForm({ columns, presets, filter, check, permission, parents }: AnalyzedUpdate): string {
  if (parents) return mergedForm(parents, updateForm);
  // Without a check, rows that an upsert updates must pass the check of the insert permission.
  const checkForm = permission.permission.check == null ? null : normalForm(check);
  return writeForm(permission, [namesOf(columns), presetsOf(presets), normalForm(filter), checkForm]);
}

function deleteForm({ filter, permission, parents }: AnalyzedDelete): string {
  return parents ? mergedForm(parents, deleteForm) : writeForm(permission, [normalForm(filter)]);
}

function mergedForm<T>(parents: readonly T[], formOf: (parent: T) => string): string {
  return stringifyJson({ merged: parents.map(formOf).sort() });
}

function writeForm(
  { permission }: Permission<{ readonly backend_only?: boolean | null; readonly validate_input?: unknown }>,
  parts: readonly unknown[],
): string {
  return stringifyJson([...parts, permission.backend_only ?? false, permission.validate_input ?? null]);
}

const namesOf = (columns: AnalyzedInsert["columns"]): readonly string[] => columns.map(({ name }) => name);

const presetsOf = (presets: Presets): unknown => presets.map(({ column, value }) => [column.name, value]);

/** Returns the same text for predicates that differ only in the order of `_and` and `_or`. */
function normalForm(predicate: Predicate): string {
  switch (predicate.kind) {
    case "and":
    case "or": {
      const items = predicate.items.map(normalForm).sort();
      return stringifyJson([predicate.kind, items]);
    }
    case "not":
      return stringifyJson([predicate.kind, normalForm(predicate.item)]);
    case "related":
    case "computed_rows":
    case "exists":
      return stringifyJson({ ...predicate, where: normalForm(predicate.where) });
    case "permitted": {
      // The inherited role's own permission decides which rows it may read, whatever its parents may.
      const { kind, owner, relationship } = predicate;
      return stringifyJson([kind, owner, relationship]);
    }
    case "is_null":
    case "compare":
    case "compare_structured":
    case "compare_columns":
      return stringifyJson(predicate);
    case "crossSource":
      return stringifyJson({ ...predicate, rows: { ...predicate.rows, where: normalForm(predicate.rows.where) } });
  }
}
