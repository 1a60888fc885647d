/** Random writes of single rows, each explained before the engine runs it. */
import { expect } from "vitest";
import type { Json } from "../../compiler/catalog/model.ts";
import type { Choices } from "./choices.ts";
import type { Value } from "./column-types.ts";
import type { ExplainedWrite, LawEngine } from "./law-engine.ts";
import type { Column, Row, Table } from "./model.ts";
import { writerRoles, writerTables } from "./world-in-database.ts";
import { rulesOf, type Writer } from "./write.ts";

export interface WriteCounts {
  /** Writes that the permissions decide. */
  decided: number;
  allowed: number;
  denied: number;
  /** Writes with a check that reads the written table. */
  depends: number;
  /** Writes that a constraint of the database refuses, whatever the permissions are. */
  refusedByConstraints: number;
}

interface WriterCases {
  readonly writer: Writer;
  readonly writes: readonly ExplainedWrite[];
}

const writesPerWorld = 12;

export function randomCases(choices: Choices, writer: Writer): WriterCases {
  const tables = [...writer.world.tables.values()];
  const writes = Array.from({ length: writesPerWorld }, () => randomWrite(choices, writer, choices.pick(tables)));
  return { writer, writes: writes.flatMap((write) => write ?? []) };
}

function randomWrite(choices: Choices, writer: Writer, table: Table): ExplainedWrite | undefined {
  const { insert, update } = rulesOf(writer, table);
  const rows = writer.world.rows.get(table.name) ?? [];
  const row = choices.pickMaybe(rows);
  const operation = choices.pick(["insert", "update", "delete"] as const);
  if (operation === "insert") {
    const columns = choices.some(insert?.columns ?? table.columns, 85);
    return { table: table.name, operation, values: valuesOf(choices, writer, table, columns) };
  }
  // The argument `where` contains only columns that the role may select.
  if (row === undefined || !writer.select?.has(table.name)) return undefined;
  const key = Object.fromEntries(table.key.map(({ name }) => [name, row[name] as Json]));
  if (operation === "delete") return { table: table.name, operation, row: key };
  const others = (update?.columns ?? table.columns).filter((column) => !table.key.includes(column));
  const columns = choices.some(others, 50);
  if (columns.length === 0) return undefined;
  return { table: table.name, operation, row: key, values: valuesOf(choices, writer, table, columns) };
}

/** Returns values that mostly satisfy the constraints: references to existing rows, and a new number of the row. */
function valuesOf(
  choices: Choices,
  { world }: Writer,
  { foreignKeys, tie, name: table }: Table,
  columns: readonly Column[],
): Readonly<Record<string, Json>> {
  const values: Record<string, Value> = {};
  for (const column of columns) {
    values[column.name] = column.nullable && choices.chance(20) ? null : choices.pick(column.type.values);
    if (column === tie) values[column.name] = (world.rows.get(table)?.length ?? 0) + choices.number(1, 1000);
  }
  for (const { columns: own, target, targetColumns } of foreignKeys) {
    const referred: Row = choices.pickMaybe(world.rows.get(target) ?? []) ?? {};
    for (const [i, name] of own.entries()) {
      if (name in values) values[name] = referred[targetColumns[i] ?? ""] ?? null;
    }
  }
  return values as Readonly<Record<string, Json>>;
}

export async function checkWriter(
  engine: LawEngine,
  { writer, writes }: WriterCases,
  counts: WriteCounts,
): Promise<void> {
  await engine.show(writer.world, writerTables(writer), writerRoles(writer));
  for (const write of writes) {
    const explanation = await engine.explainWrite(writer, write);
    // An insert of this world may have repeated a key that the database does not enforce.
    if (explanation.reason.startsWith("several rows") && !writer.world.tables.get(write.table)?.hasPrimaryKey) continue;
    const done = await outcomeOf(engine, writer, write);
    if (done === "refused by a constraint") {
      counts.refusedByConstraints++;
      continue;
    }
    counts.decided++;
    counts[explanation.verdict]++;
    if (explanation.verdict === "depends") continue;
    expect(explanation.verdict, JSON.stringify({ write, explanation, session: writer.session })).toBe(done);
  }
}

type Outcome = "allowed" | "denied" | "refused by a constraint";

async function outcomeOf(engine: LawEngine, writer: Writer, write: ExplainedWrite): Promise<Outcome> {
  const { mutation, variables } = mutationOf(write);
  const result = await engine.tryWrite(writer, mutation, variables);
  if ("data" in result) {
    const { written } = result.data as { readonly written: { readonly affected_rows: number } };
    return written.affected_rows === 1 ? "allowed" : "denied";
  }
  if (["permission-error", "validation-failed"].includes(result.code)) return "denied";
  return "refused by a constraint";
}

function mutationOf({ table, operation, row = {}, values }: ExplainedWrite) {
  const where = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, { _eq: value }]));
  if (operation === "insert") {
    const mutation = `mutation ($rows: [${table}_insert_input!]!) { written: insert_${table}(objects: $rows) { affected_rows } }`;
    return { mutation, variables: { rows: [values] } };
  }
  const filter = `$where: ${table}_bool_exp!`;
  if (operation === "delete") {
    const mutation = `mutation (${filter}) { written: delete_${table}(where: $where) { affected_rows } }`;
    return { mutation, variables: { where } };
  }
  const mutation = `mutation (${filter}, $set: ${table}_set_input!) { written: update_${table}(where: $where, _set: $set) { affected_rows } }`;
  return { mutation, variables: { where, set: values } };
}
