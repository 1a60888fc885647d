/** Emits `roles/<role>/<source>/<schema>.<table>.ts`: the permissions of one role on one table. */
import type { RelationshipIr, TableRef, ViewIr } from "../3-lower/ir.ts";
import { label as rowsLabel } from "../3-lower/table-names.ts";
import { stringLiteral } from "./escape.ts";
import { declareFilter } from "./filters.ts";
import { exportName, nameOfRole } from "./identifiers.ts";
import { type Code, call, commented, group, object, thunk } from "./layout.ts";
import { ModuleBuilder, type ModuleText } from "./module-builder.ts";
import { tablePath, viewPath } from "./paths.ts";
import { remoteRelationshipsCode } from "./remote-relationships.ts";
import { member, memberOf } from "./sources.ts";
import { declareWrites } from "./writes.ts";

export function emitView(view: ViewIr, slice: string): ModuleText {
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
  const columns = view.columns.map((field) => rows.cell(field, memberOf(imported.columns, field), "visibleWhere"));
  const context = {
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
      : [member("remoteRelationships", remoteRelationshipsCode(context, view.remoteRelationships))]),
    ...(view.computedFields.length === 0
      ? []
      : [member("computedFields", computedCode(module, view, imported.computedFields, rows))]),
    ...(rows.visible === undefined ? [] : [rows.visible]),
    ...(view.rowLimit === undefined ? [] : [member("rowLimit", String(view.rowLimit))]),
    ...(view.aggregations ? [member("aggregations", "true")] : []),
    ...(view.queryRoots ? [member("queryRoots", group("[", view.queryRoots.map(stringLiteral), "]"))] : []),
    ...writes,
  ];
  module.export(
    [`${title(view, label, rows)}.${inheritance(view)}`, ...(view.comment === undefined ? [] : [view.comment])],
    name,
    call(define, imported.table, object(properties)),
  );
  return module.print();
}

/**
 * Returns the title, which mentions the absence of a row filter: nothing else in the module shows that every row is
 * readable.
 */
function title({ role, readable }: ViewIr, label: string, { visible }: VisibleRows): string {
  if (!readable) return `Write permissions of role ${role} on ${label}`;
  const permission = `Select permission of role ${role} on ${label}`;
  return visible === undefined ? `${permission}, for every row` : permission;
}

function inheritance({ parents = [] }: ViewIr): string {
  const roles = parents.map(({ role }) => role);
  if (roles.length === 0) return "";
  return ` Inherited from ${roles.length === 1 ? "role" : "roles"} ${roles.join(", ")}.`;
}

/** Emits `member: toOne(joins.member, () => member, { required: true })`, with a comment if a row filter is implied. */
function relationshipCode(module: ModuleBuilder, view: ViewIr, relationship: RelationshipIr, joins: Code): Code {
  const { name, target, kind, description, required, aggregations, visibleWithRow } = relationship;
  const local = viewName(module, view, target);
  const options = [
    ...(required ? [member("required", "true")] : []),
    ...(aggregations ? [member("aggregations", "true")] : []),
    ...(visibleWithRow ? [member("visibleWithRow", "true")] : []),
    ...(description === undefined ? [] : [member("description", stringLiteral(description))]),
  ];
  const define = module.support(kind === "object" ? "toOne" : "toMany");
  const args = [memberOf(joins, name), thunk(local), ...(options.length === 0 ? [] : [object(options)])];
  const code = member(name, call(define, ...args));
  if (!visibleWithRow) return code;
  const { expression } = visibleWithRow;
  const filter = expression === null ? "Row filters of" : `Row filter ${expression} of`;
  return commented([`${filter} ${rowsLabel(target)}: implied by that of this table.`], code);
}

/**
 * Emits `{ full_name: computedFields.full_name, get_articles: toRows(computedFields.get_articles, () => article) }`.
 */
function computedCode(module: ModuleBuilder, view: ViewIr, computedFields: Code, rows: VisibleRows): Code {
  const members = view.computedFields.map(({ name, target }) => {
    const shared = memberOf(computedFields, name);
    if (target === undefined) return rows.cell(name, shared, "computedWhere", (value) => member(name, value));
    return member(name, call(module.support("toRows"), shared, thunk(viewName(module, view, target))));
  });
  return object(members);
}

/** Returns a reference to the view of a table, which may be the module's own. */
function viewName(module: ModuleBuilder, { role, table }: ViewIr, target: TableRef): Code {
  const name = exportName(target.name);
  const path = viewPath(role, target);
  return path === viewPath(role, table) ? name : module.import(path, name);
}

// Row filters and cell filters of a role.

interface VisibleRows {
  /** The `visible` member of the view; absent if all rows are visible. */
  readonly visible?: Code;
  /**
   * Returns the code of a column or computed value: the code of the table's module, restricted to the rows in which a
   * parent role may read it.
   * @param wrap embeds the value in code that follows its comment
   */
  cell(field: string, shared: Code, define: "visibleWhere" | "computedWhere", wrap?: (value: Code) => Code): Code;
}

function declareVisibleRows(module: ModuleBuilder, view: ViewIr): VisibleRows {
  const { role, table, visible, parents } = view;
  if (parents !== undefined) return declareParents(module, view, parents);
  const views = { role, source: table.source };
  const declared =
    visible &&
    declareFilter(module, { name: "visible", comment: `Rows that role ${role} may read`, table, views }, visible);
  return {
    ...(declared !== undefined && { visible: declared === "visible" ? declared : member("visible", declared) }),
    cell: plainCell,
  };
}

const plainCell: VisibleRows["cell"] = (_field, shared, _define, wrap = unchanged) => wrap(shared);
const unchanged = (value: Code): Code => value;

/**
 * Declares a filter for each parent. A row is visible if any filter admits it, and a cell if the filter of a parent
 * that grants the cell does.
 */
function declareParents(
  module: ModuleBuilder,
  { role: own, table, cells = {} }: ViewIr,
  parents: NonNullable<ViewIr["parents"]>,
): VisibleRows {
  const showsEveryRow = parents.every(({ everyRow }) => everyRow === true);
  if (showsEveryRow && Object.keys(cells).length === 0) return { cell: plainCell };
  const filters = new Map(
    parents.map(({ role, ...filter }) => {
      const comment = `Rows that role ${role} may read`;
      const declaration = {
        name: nameOfRole("rowsOf", role),
        comment,
        table,
        views: { role: own, source: table.source },
      };
      return [role, declareFilter(module, declaration, filter)] as const;
    }),
  );
  const anyOf = (roles: readonly string[]): Code => {
    const names = roles.flatMap((role) => filters.get(role) ?? []);
    const [only] = names;
    return names.length === 1 && only !== undefined ? only : call(module.support("anyRowOf"), ...names);
  };
  return {
    ...(!showsEveryRow && { visible: member("visible", anyOf(parents.map(({ role }) => role))) }),
    cell: (field, shared, define, wrap = unchanged) => {
      const granting = cells[field];
      if (granting === undefined) return wrap(shared);
      const comment = `case when <rows that role ${granting.join(" or ")} may read> then ${field} end`;
      return commented([comment], wrap(call(module.support(define), shared, anyOf(granting))));
    },
  };
}
