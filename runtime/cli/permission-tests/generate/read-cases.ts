/** Cases of select and delete permissions. */

import type { AnalyzedColumn, AnalyzedDelete, AnalyzedSelect } from "../../../../compiler/2-analyze/analyzed-table.ts";
import { type DraftList, type Packed, type PermissionScope, pack, rowsOfTable, subjectOf, weighted } from "./draft.ts";
import { documentOf, selection } from "./graphql-text.ts";
import { NoRows } from "./no-rows.ts";
import { scenariosOf } from "./scenarios.ts";
import { uniqueKeys, type World } from "./world.ts";

/** Largest limit for which rows are generated. */
const maxLimitedRows = 100;

export async function selectCases(scope: PermissionScope, permission: AnalyzedSelect, list: DraftList): Promise<void> {
  const { role, table, namespace } = scope;
  const field = table.rootFields?.select.name;
  if (field === undefined) return;
  const subject = subjectOf("select", scope);
  const query = documentOf("query", namespace, `${field} { ${selection(permission.columns)} }`);
  const { filter, limit } = permission;
  const isUnfiltered = filter.kind === "and" && filter.items.length === 0;
  const read = isUnfiltered ? "reads all rows" : "reads only permitted rows";
  await list.attempt(subject, async () => {
    const scenarios = scenariosOf(filter, scope.world.tables);
    const isSeparate = limit !== undefined && limit < scenarios.length;
    for (const { built } of await packedRows(scope, scenarios, isSeparate)) {
      list.add({ name: `${role} ${read}`, query, setup: built.setup(), expects: "data" });
    }
  });
  if (limit !== undefined) await list.attempt(`${subject}: limit`, () => limitCase(scope, permission, limit, list));
  hiddenColumns(scope, permission.columns, list);
}

/** Without rows, as in a view, the case still shows which columns are visible. */
async function packedRows(
  scope: PermissionScope,
  scenarios: ReturnType<typeof scenariosOf>,
  isSeparate: boolean,
): Promise<readonly Pick<Packed<Pick<World, "setup">>, "built">[]> {
  const { kind } = scope.table.shape;
  if (kind === "table" || kind === "partitioned_table") return pack(scenarios, rowsOfTable(scope), isSeparate);
  return [{ built: { setup: () => [] } }];
}

function hiddenColumns(
  { role, table, namespace }: PermissionScope,
  visible: readonly AnalyzedColumn[],
  list: DraftList,
) {
  for (const { name, field } of table.columns) {
    if (field === null || visible.some((each) => each.name === name)) continue;
    const query = documentOf("query", namespace, `${table.rootFields?.select.name} { ${field} }`);
    list.add({ name: `${role} cannot read column ${name}`, query, setup: [], expects: "validation-failed" });
  }
}

/** One row more than the limit is permitted. */
async function limitCase(
  scope: PermissionScope,
  { filter, columns }: AnalyzedSelect,
  limit: number,
  list: DraftList,
): Promise<void> {
  if (limit >= maxLimitedRows) throw new NoRows(`the limit of ${limit} rows is larger than ${maxLimitedRows}`);
  const { role, table, namespace } = scope;
  const [scenario] = scenariosOf(filter, scope.world.tables);
  const key = orderColumn(table.shape, columns);
  if (scenario === undefined || key?.field == null) throw new NoRows("no column determines the order of the rows");
  const rows = rowsOfTable(scope);
  const [demands = []] = scenario.alternatives;
  const world = await rows(Array.from({ length: limit + 1 }, () => ({ scenario, demands })));
  const field = `${table.rootFields?.select.name}(order_by: {${key.field}: asc}) { ${key.field} }`;
  const name = `${role} reads at most ${limit} rows`;
  list.add({ name, query: documentOf("query", namespace, field), setup: world.setup(), expects: "data" });
}

/** Returns a visible column with distinct values: a key, or a text. */
function orderColumn(shape: PermissionScope["table"]["shape"], columns: readonly AnalyzedColumn[]) {
  const keys = uniqueKeys(shape).filter((names) => names.length === 1);
  const isKey = ({ name }: AnalyzedColumn): boolean => keys.some(([column]) => column === name);
  return columns.find(isKey) ?? columns.find(({ shape: { type } }) => type.name === "text" || type.name === "varchar");
}

export async function deleteCases(scope: PermissionScope, { filter }: AnalyzedDelete, list: DraftList): Promise<void> {
  const { role, table, namespace, select } = scope;
  const field = table.rootFields?.delete.name;
  if (field === undefined) return;
  const returning = select === undefined ? "" : ` returning { ${selection(select.columns)} }`;
  const query = documentOf("mutation", namespace, `${field}(where: {}) { affected_rows${returning} }`);
  const isUnfiltered = filter.kind === "and" && filter.items.length === 0;
  await list.attempt(subjectOf("delete", scope), async () => {
    const isSeparate = select === undefined;
    for (const { built } of await pack(weighted(filter, scope), rowsOfTable(scope), isSeparate)) {
      const name = `${role} deletes ${isUnfiltered ? "all rows" : "only permitted rows"}`;
      list.add({ name, query, setup: built.setup(), expects: "data" });
    }
  });
}
