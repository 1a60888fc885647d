/** `roles/<role>/<source>/<schema>.<table>.ts`: what one role may do with one table. */
import type { RelationshipIr, TableRef, ViewIr } from "../3-lower/ir.ts";
import { label as rowsLabel } from "../3-lower/table-names.ts";
import { propertyAccess, stringLiteral } from "./escape.ts";
import { exportName } from "./identifiers.ts";
import { type Code, call, commented, group, object } from "./layout.ts";
import { ModuleBuilder } from "./module-builder.ts";
import { tablePath, viewPath } from "./paths.ts";
import { remoteRelationshipsCode } from "./remote-relationships.ts";
import { member } from "./sources.ts";
import { declareVisibleRows, type VisibleRows } from "./visible-rows.ts";
import { declareWrites } from "./writes.ts";

export function emitView(view: ViewIr, slice: string): string {
  const { role, table } = view;
  const name = exportName(table.name);
  const label = rowsLabel(table);
  const permission = role === "admin" ? "role admin" : `permissions of role ${role}`;
  const from = `${table.native ? "" : "table "}${label} (source ${table.source}): ${permission}`;
  const module = new ModuleBuilder(viewPath(role, table), { from, slice }, [name]);
  const define = module.support("tableView");
  const shared = tablePath(table);
  const imported = {
    columns: view.columns.length === 0 ? "" : module.import(shared, "columns"),
    joins: view.relationships.length === 0 ? "" : module.import(shared, "joins"),
    computedFields: view.computedFields.length === 0 ? "" : module.import(shared, "computedFields"),
    table: module.import(shared, exportName(table.name), "table"),
  };
  const rows = declareVisibleRows(module, view);
  const writes = declareWrites(module, view);
  const columns = view.columns.map((field) =>
    rows.cell(field, propertyAccess(imported.columns, field), "visibleWhere"),
  );
  const around = {
    module,
    role,
    columns: () => module.import(shared, "columns"),
    computedFields: () => module.import(shared, "computedFields"),
    own: { path: viewPath(role, table), name },
  };
  const properties = [
    ...(view.readable ? [member("columns", group("[", columns, "]"))] : [member("readable", "false")]),
    ...(view.relationships.length === 0
      ? []
      : [
          member(
            "relationships",
            object(view.relationships.map((r) => relationshipCode(module, view, r, imported.joins))),
          ),
        ]),
    ...(view.remoteRelationships === undefined
      ? []
      : [member("remoteRelationships", remoteRelationshipsCode(around, view.remoteRelationships))]),
    ...(view.computedFields.length === 0
      ? []
      : [member("computedFields", computedCode(module, view, imported.computedFields, rows))]),
    ...(rows.visible === undefined ? [] : [rows.visible]),
    ...(view.rowLimit === undefined ? [] : [member("rowLimit", String(view.rowLimit))]),
    ...(view.aggregations ? [member("aggregations", "true")] : []),
    ...(view.queryRoots ? [member("queryRoots", group("[", view.queryRoots.map(stringLiteral), "]"))] : []),
    ...writes,
  ];
  module.declare(
    [
      `What role ${role} may ${readable(view, label, rows)}.${inheritance(view)}`,
      ...(view.comment === undefined ? [] : [view.comment]),
    ],
    call(`export const ${name} = ${define}`, imported.table, object(properties)),
  );
  return module.toString();
}

/** Says so where no filter stands: nothing else would show that all rows are readable. */
function readable(view: ViewIr, label: string, { visible }: VisibleRows): string {
  if (!view.readable) return `do with ${label}`;
  return visible === undefined ? `read of ${label}, in every row` : `read of ${label}`;
}

function inheritance({ parents = [] }: ViewIr): string {
  const roles = parents.map(({ role }) => role);
  if (roles.length === 0) return "";
  return ` Inherited from ${roles.length === 1 ? "role" : "roles"} ${roles.join(", ")}.`;
}

/** `member: toOne(joins.member, () => member, { required: true })`, behind a comment where a row filter is left out */
function relationshipCode(module: ModuleBuilder, view: ViewIr, relationship: RelationshipIr, joins: string): Code {
  const { name, target, kind, description, required, aggregations, visibleWithRow } = relationship;
  const local = viewName(module, view, target);
  const options = [
    ...(required ? [member("required", "true")] : []),
    ...(aggregations ? [member("aggregations", "true")] : []),
    ...(visibleWithRow ? [member("visibleWithRow", "true")] : []),
    ...(description === undefined ? [] : [member("description", stringLiteral(description))]),
  ];
  const define = module.support(kind === "object" ? "toOne" : "toMany");
  const args = [propertyAccess(joins, name), `() => ${local}`, ...(options.length === 0 ? [] : [object(options)])];
  const code = member(name, call(define, ...args));
  if (!visibleWithRow) return code;
  const { expression } = visibleWithRow;
  const filters = expression === null ? "The filters of" : `The filter ${expression} of`;
  const follow = expression === null ? "follow" : "follows";
  return commented([`${filters} ${rowsLabel(target)} ${follow} from that of this table.`], code);
}

/** `{ full_name: computedFields.full_name, get_articles: toRows(computedFields.get_articles, () => article) }` */
function computedCode(module: ModuleBuilder, view: ViewIr, computedFields: string, rows: VisibleRows): Code {
  const members = view.computedFields.map(({ name, target }) => {
    const shared = propertyAccess(computedFields, name);
    if (target === undefined) return rows.cell(name, shared, "computedWhere", (value) => member(name, value));
    return member(name, call(module.support("toRows"), shared, `() => ${viewName(module, view, target)}`));
  });
  return object(members);
}

/** What the module calls the view of a table, which may be its own. */
function viewName(module: ModuleBuilder, { role, table }: ViewIr, target: TableRef): string {
  const name = exportName(target.name);
  const path = viewPath(role, target);
  return path === viewPath(role, table) ? name : module.import(path, name);
}
