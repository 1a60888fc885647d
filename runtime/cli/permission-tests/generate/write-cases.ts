/** Cases of insert and update permissions. */

import type {
  AnalyzedColumn,
  AnalyzedInsert,
  AnalyzedUpdate,
  Presets,
} from "../../../../compiler/2-analyze/analyzed-table.ts";
import type { JsonObject } from "../../../../compiler/catalog/model.ts";
import { type Build, type Chosen, type DraftList, type PermissionScope, pack, subjectOf, weighted } from "./draft.ts";
import { documentOf, inputObject, literal, selection } from "./graphql-text.ts";
import { NoRows } from "./no-rows.ts";
import { Row, UpdatedRow } from "./rows.ts";
import { scenariosOf, ways } from "./scenarios.ts";
import { genericValue, operandValue } from "./values.ts";
import { uniqueKeys, valuesOf, World } from "./world.ts";

interface Built {
  readonly world: World;
  readonly values: JsonObject;
}

// ---------------------------------------------------------------- insert

export async function insertCases(scope: PermissionScope, permission: AnalyzedInsert, list: DraftList): Promise<void> {
  const { role, table, namespace } = scope;
  const field = table.rootFields?.insert.name;
  if (field === undefined) return;
  const written = [...permission.columns, ...permission.presets.map(({ column }) => column)];
  await list.attempt(subjectOf("insert", scope), async () => {
    const scenarios = scenariosOf(permission.check, scope.world.tables);
    for (const { chosen, built } of await pack(scenarios, inserted(scope, permission), true)) {
      const object = inputObject(built.values, permission.columns);
      const query = `${field}(objects: [${object}]) { affected_rows${returning(scope, written)} }`;
      const [{ label, holds } = { label: "", holds: true }] = chosen.map(({ scenario }) => scenario);
      const because = label === "" ? "" : `: ${label}`;
      list.add({
        name: holds ? `${role} inserts a permitted row${because}` : `${role} cannot insert a row unless ${label}`,
        query: documentOf("mutation", namespace, query),
        setup: built.world.setup(),
        expects: holds ? "data" : "permission-error",
      });
    }
  });
  for (const column of unwritable(scope, permission)) {
    const object = `{${column.field}: ${literalOf(column, scope)}}`;
    const query = documentOf("mutation", namespace, `${field}(objects: [${object}]) { affected_rows }`);
    const name = `${role} cannot insert column ${column.name}`;
    list.add({ name, query, setup: [], expects: "validation-failed" });
  }
}

/** Returns the function that builds the object of an insert, and the rows that it refers to. */
function inserted({ table, world: input }: PermissionScope, permission: AnalyzedInsert): Build<Built> {
  return async ([chosen]) => {
    const world = new World(input);
    const row = world.add(new Row(table.shape, "input"));
    applyPresets(row, permission.presets, input.session);
    for (const { name } of permission.columns) row.cell(name).isWanted = true;
    if (chosen) world.apply(row, chosen.demands);
    for (const { name, hasDefault } of table.shape.columns) {
      const cell = row.cell(name);
      if (cell.isWanted || cell.fixed !== undefined || cell.tests.length === 0) continue;
      const value = hasDefault ? await input.facts.constantDefault(table.shape, name) : null;
      if (value === undefined) throw new NoRows(`the check depends on the default of column ${name}`);
      cell.fixed = value;
    }
    await world.settle();
    return { world, values: valuesOf(row) };
  };
}

function applyPresets(row: Row, presets: Presets, session: ReadonlyMap<string, string>): void {
  for (const { column, value } of presets) {
    row.cell(column.name).fixed = operandValue({ operand: value, operator: "_eq" }, column.shape.type, session);
  }
}

// ---------------------------------------------------------------- update

export async function updateCases(scope: PermissionScope, permission: AnalyzedUpdate, list: DraftList): Promise<void> {
  const { role, table, world } = scope;
  if (table.rootFields === null) return;
  const unique = new Set(uniqueKeys(table.shape).flat());
  const plain = permission.columns.filter(({ name }) => !unique.has(name));
  const keys = permission.columns.filter(({ name }) => unique.has(name));
  const isUnfiltered = permission.filter.kind === "and" && permission.filter.items.length === 0;
  const rows = isUnfiltered ? "all rows" : "only permitted rows";
  const subject = subjectOf("update", scope);
  await list.attempt(subject, async () => {
    const columns = plain.length > 0 ? plain : keys;
    const isSeparate = plain.length === 0 || scope.select === undefined;
    const build = updated(scope, permission, columns);
    for (const { built } of await pack(weighted(permission.filter, scope), build, isSeparate)) {
      addUpdate(scope, columns, built, list, { name: `${role} updates ${rows}`, expects: "data" });
    }
  });
  if (plain.length > 0 && keys.length > 0) {
    await list.attempt(`${subject}: columns ${keys.map(({ name }) => name).join(", ")}`, async () => {
      const [scenario] = scenariosOf(permission.filter, world.tables);
      const build = updated(scope, permission, keys);
      for (const { built } of await pack(scenario ? [scenario] : [], build)) {
        addUpdate(scope, keys, built, list, { name: `${role} updates keys`, expects: "data" });
      }
    });
  }
  await list.attempt(`${subject}: check`, () => checkCases(scope, permission, list));
  for (const column of unwritable(scope, permission)) {
    const field = `${table.rootFields.update.name}(where: {}, _set: {${column.field}: ${literalOf(column, scope)}})`;
    const query = documentOf("mutation", scope.namespace, `${field} { affected_rows }`);
    list.add({ name: `${role} cannot update column ${column.name}`, query, setup: [], expects: "validation-failed" });
  }
}

function addUpdate(
  scope: PermissionScope,
  columns: readonly AnalyzedColumn[],
  { world, values }: Built,
  list: DraftList,
  { name, expects }: { readonly name: string; readonly expects: "data" | "permission-error" },
): void {
  const { table, namespace } = scope;
  const field = `${table.rootFields?.update.name}(where: {}, _set: ${inputObject(values, columns)})`;
  const query = documentOf("mutation", namespace, `${field} { affected_rows${returning(scope)} }`);
  list.add({ name, query, setup: world.setup(), expects });
}

/** Each row that the update of the first scenario leads to misses the check by one comparison. */
async function checkCases(scope: PermissionScope, permission: AnalyzedUpdate, list: DraftList): Promise<void> {
  const failing = scenariosOf(permission.check, scope.world.tables).filter(({ label }) => label !== "");
  const [before] = scenariosOf(permission.filter, scope.world.tables);
  if (failing.length === 0 || before === undefined) return;
  const [filtered = []] = before.alternatives;
  const build: Build<Built> = ([chosen]) =>
    updated(scope, permission, permission.columns, chosen?.demands)([{ scenario: before, demands: filtered }]);
  for (const { chosen, built } of await pack(failing, build, true)) {
    const [{ label, holds } = { label: "", holds: true }] = chosen.map(({ scenario }) => scenario);
    const name = holds ? `${scope.role} updates a row: ${label}` : `${scope.role} cannot update a row unless ${label}`;
    addUpdate(scope, permission.columns, built, list, { name, expects: holds ? "data" : "permission-error" });
  }
}

/**
 * Returns the function that builds rows to update, and the values that they get.
 * @param after demands on the updated rows; default those of the check
 */
function updated(
  { table, world: input }: PermissionScope,
  { check, presets }: AnalyzedUpdate,
  columns: readonly AnalyzedColumn[],
  after?: Chosen["demands"],
): Build<Built> {
  const isSet = (name: string): boolean =>
    [...columns, ...presets.map(({ column }) => column)].some((each) => each.name === name);
  return async (chosen) => {
    const world = new World(input);
    const values = world.add(new Row(table.shape, "input"));
    applyPresets(values, presets, input.session);
    for (const { name } of columns) values.cell(name).isWanted = true;
    for (const { scenario, demands } of chosen) {
      const row = world.add(new Row(table.shape, "setup"));
      world.apply(row, demands);
      const [checked] = after === undefined ? ways(check, true) : [after];
      if (scenario.holds && checked) world.apply(new UpdatedRow(row, values, isSet), checked);
    }
    await world.settle();
    return { world, values: valuesOf(values) };
  };
}

// ---------------------------------------------------------------- both

function returning({ select }: PermissionScope, among?: readonly AnalyzedColumn[]): string {
  const visible = select?.columns.filter(({ name }) => among === undefined || among.some((each) => each.name === name));
  return visible === undefined || visible.length === 0 ? "" : ` returning { ${selection(visible)} }`;
}

/** Returns the columns that the permission leaves out, and requests could set otherwise. */
function unwritable(
  { table }: PermissionScope,
  { columns, presets }: Pick<AnalyzedInsert, "columns" | "presets">,
): readonly AnalyzedColumn[] {
  const known = new Set([...columns, ...presets.map(({ column }) => column)].map(({ name }) => name));
  return table.columns.filter(({ name, field, shape }) => field !== null && !shape.generated && !known.has(name));
}

function literalOf(column: AnalyzedColumn, { world }: PermissionScope): string {
  const value = genericValue(column.shape.type, column.name, 0, world.shape) ?? null;
  return literal(column.enumTable === undefined ? value : null, false);
}
