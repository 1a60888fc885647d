/** The cases of Citus, which run on PostgreSQL, and on a server with Citus where one is given. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import type { Shape } from "../../compiler/shape/shape.ts";
import { EngineError } from "../../runtime/values/errors.ts";
import type { TestEngine } from "./compiled.ts";
import { casesBelow } from "./golden.ts";

export const citusFolder = join(import.meta.dirname, "../golden/citus");

export const citusCases = (): Promise<string[]> => casesBelow(citusFolder, "query.graphql");

export const readCitusFile = (name: string): Promise<string> => readFile(join(citusFolder, name), "utf8");

/** Tables of the cases with their places, as `distribute.sql` creates them. */
const distributions: Readonly<Record<string, Shape["tables"][number]["distribution"]>> = {
  countries: { kind: "reference" },
  products: { kind: "reference" },
  tenants: { kind: "distributed", column: "id", colocation: 2 },
  customers: { kind: "distributed", column: "tenant_id", colocation: 2 },
  orders: { kind: "distributed", column: "tenant_id", colocation: 2 },
  items: { kind: "distributed", column: "tenant_id", colocation: 2 },
  visits: { kind: "distributed", column: "id", colocation: 3 },
};

export const distributedTables: ReadonlySet<string> = new Set(
  Object.entries(distributions).flatMap(([name, place]) => (place?.kind === "distributed" ? [name] : [])),
);

/** Returns the shape that a server with Citus would have. */
export function distributedShape(shape: Shape): Shape {
  return {
    ...shape,
    citus: { version: "13.2-1" },
    tables: shape.tables.map((table) => {
      const distribution = distributions[table.name];
      return distribution ? { ...table, distribution } : table;
    }),
    functions: shape.functions.map((each) => {
      if (each.name === "search_orders") return { ...each, readsDistributed: "sql" as const };
      return ["find_orders", "order_total"].includes(each.name)
        ? { ...each, readsDistributed: "other" as const }
        : each;
    }),
  };
}

/** Runs the statements of a file, one for each line. */
export const runLines = async (url: string, file: string): Promise<void> => runEach(url, await linesOf(file));

const linesOf = async (file: string): Promise<readonly string[]> => (await readCitusFile(file)).trim().split("\n");

/** Runs each statement in its own transaction, as Citus requires for some. */
async function runEach(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** In an order that foreign keys allow. */
const tables = ["items", "orders", "customers", "tenants", "visits", "notes", "products", "countries"];

/** Replaces the rows of all tables. */
export async function resetRows(url: string): Promise<void> {
  await runEach(url, [...tables.map((table) => `delete from ${table}`), ...(await linesOf("rows.sql"))]);
}

/** Returns the response of a case, or its error. */
export async function answerOf(engine: TestEngine, name: string): Promise<unknown> {
  const request = join(name, "request.json");
  const { role = "admin", session = {} } = existsSync(join(citusFolder, request))
    ? (JSON.parse(await readCitusFile(request)) as {
        readonly role?: string;
        readonly session?: Readonly<Record<string, string>>;
      })
    : {};
  try {
    const query = await readCitusFile(join(name, "query.graphql"));
    return await engine.ask(role, query, { ...session, "x-engine-role": role });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}
