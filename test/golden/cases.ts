/** The cases of queries and mutations: what they ask, and which of them a kind of database has. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { casesBelow } from "../support/golden.ts";

export type CaseKind = "query" | "mutation";

export interface GoldenCase {
  readonly name: string;
  readonly folder: string;
  readonly query: string;
  readonly role: string;
  /** Session variables, with the role. */
  readonly session: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, unknown>> | null;
}

const folderOf = (kind: CaseKind): string => join(import.meta.dirname, kind);

/** A file that all cases share: schema or metadata. */
export const readFixture = (name: string): Promise<string> => readFile(join(folderOf("query"), name), "utf8");

export const caseNames = (kind: CaseKind): Promise<string[]> => casesBelow(folderOf(kind), "query.graphql");

/** @param dialect the kind of database; `query.<dialect>.graphql` is asked where it spells the same differently */
export async function readCase(kind: CaseKind, name: string, dialect: "postgres" | "mssql"): Promise<GoldenCase> {
  const folder = join(folderOf(kind), name);
  const own = join(folder, `query.${dialect}.graphql`);
  const query = await readFile(existsSync(own) ? own : join(folder, "query.graphql"), "utf8");
  const request = join(folder, "request.json");
  const { role = "admin", session = {}, variables = null } = existsSync(request) ? await readJson(request) : {};
  return { name, folder, query, role, session: { ...session, "x-engine-role": role }, variables };
}

/** What the case answers, whatever the kind of database: `data`, or the error of a mutation that is refused. */
export const readResult = ({ folder }: GoldenCase): Promise<unknown> => readJson(join(folder, "result.json"));

async function readJson(path: string): Promise<Partial<GoldenCase>> {
  return JSON.parse(await readFile(path, "utf8")) as Partial<GoldenCase>;
}

/** Queries that PostgreSQL does not have, and why; their answers are written by hand. */
export const absentOnPostgres: ReadonlyMap<string, string> = new Map([
  ["stored-procedure", "there are no stored procedures that answer rows"],
  ["stored-procedure-permission", "there are no stored procedures that answer rows"],
]);

/** Whether a kind of database has a case. */
export function hasCase(dialect: "postgres" | "mssql", kind: CaseKind, name: string): boolean {
  return kind === "mutation" || !(dialect === "mssql" ? absentOnSqlServer : absentOnPostgres).has(name);
}

/** Queries that SQL Server does not have, and why (`graphql-api.md` 10). */
export const absentOnSqlServer: ReadonlyMap<string, string> = new Map([
  ["computed-fields", "a computed field with arguments: functions cannot be tracked"],
  ["computed-table", "a computed field of rows: functions cannot be tracked"],
  ["distinct-on", "there is no distinct_on"],
  ["filter-aggregate", "there are no aggregate predicates"],
  ["function", "functions cannot be tracked"],
  ["function-aggregate", "functions cannot be tracked"],
  ["json-path", "there are no JSON columns"],
]);
