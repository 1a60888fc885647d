/**
 * Rewrites boolean expressions of permissions after a relationship was renamed. Input: the catalog, its analysis and
 * both names; output: the catalog, in which unchanged permissions keep their identity.
 */
import type { AnalyzedSource } from "../2-analyze/analysis.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { BoolExp, Permission, QualifiedName, Table } from "../catalog/model.ts";
import { sourceKinds } from "../catalog/schema/names.ts";
import { changeSource, sameName, set } from "./edit.ts";
import type { State } from "./operation.ts";
import { mapItems, type NewNames, renameInExpression } from "./rename-in-expression.ts";

export interface Renaming {
  readonly source: string;
  /** Table that owns the relationship. */
  readonly table: QualifiedName;
  readonly from: string;
  readonly to: string;
}

/**
 * Renames the relationship in the permissions of all tables of the source: an expression may reach it through other
 * relationships.
 */
export function renameInPermissions(
  { catalog, analysis }: Pick<State, "catalog" | "analysis">,
  renaming: Renaming,
): Catalog {
  const analyzed = analysis.sources.get(renaming.source);
  if (analyzed === undefined) return catalog;
  const names = namesAfter(renaming);
  return changeSource(catalog, renaming.source, (owner) =>
    set(
      owner,
      "tables",
      mapItems(owner.tables, (table) => renameInTable(table, names, analyzed)),
    ),
  );
}

function namesAfter({ table, from, to }: Renaming): NewNames {
  return {
    field: (owner, name) => (name === from && owner !== undefined && sameName(owner, table) ? to : name),
    table: (written) => written,
  };
}

function renameInTable(table: Table, names: NewNames, analyzed: AnalyzedSource): Table {
  const { defaultSchema } = sourceKinds[analyzed.source.kind];
  const own = table.table;
  const rewrite = (expression: BoolExp): BoolExp =>
    renameInExpression({ names, analyzed, defaultSchema, root: own, row: own }, expression);
  const filter = <P extends { readonly filter: BoolExp }>(permission: P): P =>
    set(permission, "filter", rewrite(permission.filter));
  const check = <P extends { readonly check?: BoolExp | null }>(permission: P): P =>
    permission.check ? set(permission, "check", rewrite(permission.check)) : permission;
  const { insert_permissions, select_permissions, update_permissions, delete_permissions } = table;
  const next: Table = {
    ...table,
    insert_permissions: editPermissions(insert_permissions, check),
    select_permissions: editPermissions(select_permissions, filter),
    update_permissions: editPermissions(update_permissions, (permission) => check(filter(permission))),
    delete_permissions: editPermissions(delete_permissions, filter),
  };
  const isSame =
    next.insert_permissions === insert_permissions &&
    next.select_permissions === select_permissions &&
    next.update_permissions === update_permissions &&
    next.delete_permissions === delete_permissions;
  return isSame ? table : next;
}

function editPermissions<P>(permissions: readonly Permission<P>[], to: (permission: P) => P) {
  return mapItems(permissions, (each) => set(each, "permission", to(each.permission)));
}
