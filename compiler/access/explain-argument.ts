/** Explains an argument of a root field, or a member of its value, by the permission that decides it. */
import { didYouMean } from "../../runtime/values/nearest-name.ts";
import type { PermissionKind } from "../catalog/model.ts";
import { aggregatedBy, tableSteps } from "./explain-table.ts";
import { failed, passed, type Step } from "./explanation.ts";
import type { Members } from "./schema-reader.ts";
import type { TableAction, TableReader } from "./table-facts.ts";

interface ArgumentQuestion {
  /** Name of the argument, and names of members. */
  readonly path: readonly string[];
  readonly own: Members;
  readonly admin: Members;
  /** Absent for root fields of other objects than tables. */
  readonly table: TableReader | undefined;
  /** Operation whose permission the argument depends on. */
  readonly scope: PermissionKind;
  /** Columns of the table that rows get from the row above. */
  readonly determined?: readonly string[];
}

type Asker = Pick<TableAction, "role" | "variant">;

export function argumentSteps(question: ArgumentQuestion, asker: Asker, before = ""): readonly Step[] {
  const [name = "", ...rest] = question.path;
  const place = before === "" ? name : `${before}.${name}`;
  const known = question.admin.get(name);
  if (known === undefined) {
    const names = question.admin.names();
    const owner = before === "" ? "the root field has no argument" : `${before} has no member`;
    return [failed("argument", `${owner} ${name}`, didYouMean(name, names))];
  }
  const own = question.own.get(name);
  const column = question.table?.columnOf(name);
  if (column !== undefined && question.scope !== "select" && question.determined?.includes(column)) {
    return [failed("columns", `${place} has the value of the row above, so requests cannot give it`)];
  }
  const scope = scopes.get(name) ?? question.scope;
  if (own === undefined) return [missing(name, place, { ...question, scope: question.scope }, asker)];
  const granted = column === undefined ? [] : columnSteps(question.table, question.scope, column, asker, "passed");
  if (rest.length === 0) return [...granted, passed("argument", `role ${asker.role} may give the argument ${place}`)];
  const related = question.table?.related(name);
  const determined = related ? question.table?.determinedBy(name) : question.determined;
  const inside = { path: rest, own: own.members, admin: known.members, table: related ?? question.table, scope };
  return argumentSteps({ ...inside, ...(determined && { determined }) }, asker, place);
}

function missing(name: string, place: string, { table, scope }: ArgumentQuestion, asker: Asker): Step {
  const decisive = table ? decisiveStep(name, table, scope, asker) : undefined;
  return decisive ?? failed("argument", `role ${asker.role} cannot give the argument ${place}`);
}

/** Returns the failed check of the permission that an argument depends on. */
function decisiveStep(name: string, table: TableReader, scope: PermissionKind, asker: Asker): Step | undefined {
  const column = table.columnOf(name);
  if (column !== undefined) return columnSteps(table, scope, column, asker, "failed")[0];
  if (name === "on_conflict") {
    const reason = "the argument on_conflict requires an update permission";
    return firstFailed(table, "update", asker) ?? failed("argument", `${reason} with columns`);
  }
  if (updates.has(name)) return failed("columns", `${name} sets no column of the update permission`);
  if (name === "_related") {
    const requires = scope === "insert" ? "connect" : "write";
    const reason = `the argument _related requires a permission to ${requires} rows of a relationship`;
    return failed("argument", `${reason}, between tables that role ${asker.role} may select`);
  }
  const write = relatedWrites.get(name);
  if (write !== undefined) {
    const reason = `${name} sets the columns of the relationship, which the update permission must list`;
    return firstFailed(table, write, asker) ?? failed("argument", reason);
  }
  const related = table.related(name) ?? table.related(aggregatedBy(name));
  if (related === undefined) return undefined;
  if (table.related(name) === undefined && firstFailed(related, "select", asker) === undefined) {
    return failed("argument", `the select permission on the rows of ${name} does not allow aggregations`);
  }
  return firstFailed(related, scope, asker) ?? firstFailed(related, "select", asker);
}

function firstFailed(table: TableReader, operation: PermissionKind, asker: Asker): Step | undefined {
  const steps = tableSteps(table.facts(operation), { ...asker, operation, columns: [] });
  return steps.find(({ check, result }) => check !== "role" && result === "failed");
}

function columnSteps(
  table: TableReader | undefined,
  operation: PermissionKind,
  column: string,
  asker: Asker,
  result: Step["result"],
): readonly Step[] {
  if (table === undefined) return [];
  const steps = tableSteps(table.facts(operation), { ...asker, operation, columns: [column] });
  return steps.filter((step) => step.result === result && (step.check === "columns" || result === "failed"));
}

/** Arguments that set columns of an update. */
const updates: ReadonlySet<string> = new Set([
  "_set",
  "_inc",
  "_append",
  "_prepend",
  "_delete_key",
  "_delete_elem",
  "_delete_at_path",
]);

/** Writes of related rows, with the operation whose permission they need. */
const relatedWrites: ReadonlyMap<string, PermissionKind> = new Map<string, PermissionKind>([
  ["insert", "insert"],
  ["update", "update"],
  ["delete", "delete"],
  ["connect", "update"],
  ["disconnect", "update"],
  ["set", "update"],
  ["connect_or_create", "insert"],
]);

/** Operations whose permission decides the members of an argument. */
const scopes: ReadonlyMap<string, PermissionKind> = new Map<string, PermissionKind>([
  ...Array.from(updates, (name) => [name, "update"] as const),
  ["where", "select"],
  ["order_by", "select"],
  ["pk_columns", "select"],
  ["object", "insert"],
  ["objects", "insert"],
  ["data", "insert"],
  ...relatedWrites,
  ["on_conflict", "update"],
]);
