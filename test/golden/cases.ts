/** The cases of queries, mutations and subscriptions: their operations and kinds of database. */
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
  /** Session variables, including the role. */
  readonly session: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, unknown>> | null;
}

const folderOf = (kind: CaseKind): string => join(import.meta.dirname, kind);

/** Reads a file that all cases share: schema or metadata. */
export const readFixture = (name: string): Promise<string> => readFile(join(folderOf("query"), name), "utf8");

export const caseNames = (kind: CaseKind): Promise<string[]> => casesBelow(folderOf(kind), "query.graphql");

/** Reads a case. @param dialect the kind of database; `query.<dialect>.graphql` is used where its syntax differs */
export async function readCase(kind: CaseKind, name: string, dialect: DialectName): Promise<GoldenCase> {
  const folder = join(folderOf(kind), name);
  const own = join(folder, `query.${dialect}.graphql`);
  const query = await readFile(existsSync(own) ? own : join(folder, "query.graphql"), "utf8");
  const { role = "admin", session = {}, variables = null } = await readRequest(folder);
  return { name, folder, query, role, session: { ...session, "x-engine-role": role }, variables };
}

/**
 * Reads the expected response of the case, equal for all kinds of database: `data`, or the error of a refused mutation.
 */
export const readResult = ({ folder }: GoldenCase): Promise<unknown> => readJson(join(folder, "result.json"));

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, "utf8"));
}

/** Returns the reasons why a kind of database lacks a case, as stated in its `request.json`, by name. */
export async function absentCases(kind: CaseKind, dialect: DialectName): Promise<ReadonlyMap<string, string>> {
  const names = await caseNames(kind);
  const reasons = await Promise.all(names.map((name) => readRequest(join(folderOf(kind), name))));
  return new Map(
    names.flatMap((name, i) => (reasons[i]?.absent?.[dialect] ? [[name, reasons[i].absent[dialect]] as const] : [])),
  );
}

/** Returns the cases of a kind of database. */
export async function casesOf(kind: CaseKind, dialect: DialectName): Promise<readonly string[]> {
  const absent = await absentCases(kind, dialect);
  return (await caseNames(kind)).filter((name) => !absent.has(name));
}

/** `request.json`: the session and variables of the request; all members are optional. */
interface CaseRequest {
  readonly role?: string;
  readonly session?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Kinds of database that lack the case, with the reason. */
  readonly absent?: Readonly<Partial<Record<DialectName, string>>>;
}

async function readRequest(folder: string): Promise<CaseRequest> {
  const path = join(folder, "request.json");
  return existsSync(path) ? ((await readJson(path)) as CaseRequest) : {};
}
