/** The cases of queries, mutations and subscriptions: what they ask, and which of them a kind of database has. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { casesBelow } from "../support/golden.ts";

export type CaseKind = "query" | "mutation" | "subscription";
export type DialectName = "postgres" | "mssql";

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
export async function readCase(kind: CaseKind, name: string, dialect: DialectName): Promise<GoldenCase> {
  const folder = join(folderOf(kind), name);
  const own = join(folder, `query.${dialect}.graphql`);
  const query = await readFile(existsSync(own) ? own : join(folder, "query.graphql"), "utf8");
  const { role = "admin", session = {}, variables = null } = await readRequest(folder);
  return { name, folder, query, role, session: { ...session, "x-engine-role": role }, variables };
}

/** What the case answers, whatever the kind of database: `data`, or the error of a mutation that is refused. */
export const readResult = ({ folder }: GoldenCase): Promise<unknown> => readJson(join(folder, "result.json"));

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, "utf8"));
}

/** Why a kind of database does not have a case, as its `request.json` says (`graphql-api.md` 10); by name. */
export async function absentCases(kind: CaseKind, dialect: DialectName): Promise<ReadonlyMap<string, string>> {
  const names = await caseNames(kind);
  const reasons = await Promise.all(names.map((name) => readRequest(join(folderOf(kind), name))));
  return new Map(
    names.flatMap((name, i) => (reasons[i]?.absent?.[dialect] ? [[name, reasons[i].absent[dialect]] as const] : [])),
  );
}

/** The cases that a kind of database has. */
export async function casesOf(kind: CaseKind, dialect: DialectName): Promise<readonly string[]> {
  const absent = await absentCases(kind, dialect);
  return (await caseNames(kind)).filter((name) => !absent.has(name));
}

/** `request.json`: who asks, with what; all of it may be left out. */
interface CaseRequest {
  readonly role?: string;
  readonly session?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Kinds of database that do not have the case, and why. */
  readonly absent?: Readonly<Partial<Record<DialectName, string>>>;
}

async function readRequest(folder: string): Promise<CaseRequest> {
  const path = join(folder, "request.json");
  return existsSync(path) ? ((await readJson(path)) as CaseRequest) : {};
}
