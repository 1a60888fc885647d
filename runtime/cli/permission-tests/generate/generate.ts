/** Generates permission tests of each table: rows on both sides of each condition, and the results of the present permissions. */

import { join } from "node:path";
import type { AnalyzedSource } from "../../../../compiler/2-analyze/analysis.ts";
import type { AnalyzedTable } from "../../../../compiler/2-analyze/analyzed-table.ts";
import { fileNames, qualifiedFile } from "../../metadata-directory/file-names.ts";
import type { Settings } from "../../project/settings.ts";
import { runnerOf, type TestRunner, TestWorkers } from "../run-tests.ts";
import type { TestDatabases } from "../test-databases.ts";
import type { TestCase, TestFile } from "../test-file.ts";
import { type Draft, DraftList, type Gap, type PermissionScope, subjectOf } from "./draft.ts";
import { generatedText, type WrittenCase, writeGenerated } from "./generated-file.ts";
import { deleteCases, selectCases } from "./read-cases.ts";
import { sessionOf } from "./session.ts";
import { TableFacts } from "./table-facts.ts";
import { insertCases, updateCases } from "./write-cases.ts";

export interface Generated {
  /** Paths of new and changed files. */
  readonly written: readonly string[];
  /** Paths of files that people have edited, which are kept. */
  readonly edited: readonly string[];
  readonly cases: number;
  readonly gaps: readonly Gap[];
}

interface GenerateInput {
  readonly settings: Settings;
  readonly databases: TestDatabases;
  /** Folder of the tests. */
  readonly folder: string;
  /** If true, edited files are replaced too. */
  readonly overwrite: boolean;
}

/** Writes a file for each table with permissions. */
export async function generate({ settings, databases, folder, overwrite }: GenerateInput): Promise<Generated> {
  const workers = new TestWorkers(databases);
  const runner = runnerOf(settings, databases, databases.program);
  const { sources } = databases.program.analysis;
  const result = { written: [] as string[], edited: [] as string[], cases: 0, gaps: [] as Gap[] };
  try {
    const opened = await databases.open();
    try {
      for (const source of sources.values()) {
        const database = opened.get(source.name);
        if (database === undefined) continue;
        const facts = new TableFacts(database);
        const tables = [...source.tables.values()].filter(hasPermissions);
        const prefix = sources.size === 1 ? "" : `${source.name}_`;
        const names = fileNames(
          tables.map(({ table: { table } }) => {
            const { label, identity } = qualifiedFile({ ...table });
            return { label: `${prefix}${label}`, identity: `${source.name} ${identity}` };
          }),
        );
        for (const [index, table] of tables.entries()) {
          const made = await casesOf(table, source, facts, { runner, workers, isOnly: sources.size === 1 });
          result.gaps.push(...made.gaps);
          result.cases += made.cases.length;
          if (made.cases.length === 0) continue;
          const path = join(folder, `${names[index]}.generated.yaml`);
          const state = await writeGenerated(path, generatedText(table.displayName, made.cases), overwrite);
          if (state !== "unchanged") result[state].push(path);
        }
      }
    } finally {
      await Promise.all([...opened.values()].map((database) => database.close()));
    }
  } finally {
    await workers.close();
  }
  return result;
}

const permissionsOf = (table: AnalyzedTable) => [table.select, table.insert, table.update, table.delete];

const hasPermissions = (table: AnalyzedTable): boolean => permissionsOf(table).some(({ size }) => size > 0);

interface Running {
  readonly runner: TestRunner;
  readonly workers: TestWorkers;
  /** If true, the project has one database, which steps need not name. */
  readonly isOnly: boolean;
}

async function casesOf(
  table: AnalyzedTable,
  source: AnalyzedSource,
  facts: TableFacts,
  running: Running,
): Promise<{ readonly cases: readonly WrittenCase[]; readonly gaps: readonly Gap[] }> {
  const roles = [...new Set(permissionsOf(table).flatMap((permissions) => [...permissions.keys()]))].sort();
  const cases: WrittenCase[] = [];
  const gaps: Gap[] = [];
  for (const role of roles) {
    const session = sessionOf(role, table, source.shape);
    const { shape, tables } = source;
    const scope: PermissionScope = {
      role,
      table,
      namespace: source.source.customization?.root_fields?.namespace,
      world: { shape, tables, facts, session },
      select: table.select.get(role),
    };
    const list = await draftsOf(scope);
    gaps.push(...list.gaps);
    const ran = await run(list.drafts, role, session, source.name, running);
    cases.push(...ran.cases);
    gaps.push(...ran.gaps);
  }
  return { cases, gaps };
}

async function draftsOf(scope: PermissionScope): Promise<DraftList> {
  const { role, table } = scope;
  const list = new DraftList();
  const select = table.select.get(role);
  const insert = table.insert.get(role);
  const update = table.update.get(role);
  const remove = table.delete.get(role);
  if (select) await selectCases(scope, select, list);
  if (insert && !isBackendOnly("insert", insert.permission.permission)) await insertCases(scope, insert, list);
  if (update && !isBackendOnly("update", update.permission.permission)) await updateCases(scope, update, list);
  if (remove && !isBackendOnly("delete", remove.permission.permission)) await deleteCases(scope, remove, list);
  return list;

  function isBackendOnly(kind: "insert" | "update" | "delete", { backend_only }: { readonly backend_only?: boolean }) {
    if (backend_only !== true) return false;
    list.gaps.push({ subject: subjectOf(kind, scope), reason: "only backends use it (backend_only)" });
    return true;
  }
}

/** Runs drafts, and returns those with the result that the permission implies. */
async function run(
  drafts: readonly Draft[],
  role: string,
  session: ReadonlyMap<string, string>,
  source: string,
  { runner, workers, isOnly }: Running,
): Promise<{ readonly cases: readonly WrittenCase[]; readonly gaps: readonly Gap[] }> {
  const variables = Object.fromEntries(session);
  const database = isOnly ? undefined : source;
  const tests = drafts.map(({ name, query, setup }, index): TestCase => {
    const steps = setup.map(({ table: { schema, name: table }, rows }) => {
      return { at: "set-up", database, table: { schema, name: table }, rows };
    });
    const own = { name, at: "", index, query, setup: steps, operation: null, variables: {} };
    return { ...own, sessionName: role, session: { role, variables }, expected: undefined };
  });
  const file: TestFile = { path: "", seeds: false, setup: [], cases: tests };
  const results = await workers.run(
    runner,
    tests.map((test) => ({ file, test })),
  );
  const cases: WrittenCase[] = [];
  const gaps: Gap[] = [];
  for (const [index, { outcome }] of results.entries()) {
    const draft = drafts[index] as Draft;
    const reason = outcome.kind === "unwritten" ? unexpected(draft, outcome.received) : reasonOf(outcome);
    if (outcome.kind !== "unwritten" || reason !== undefined) gaps.push({ subject: draft.name, reason: reason ?? "" });
    else cases.push({ ...draft, role, variables, database, received: outcome.received });
  }
  return { cases, gaps };
}

const reasonOf = (outcome: { readonly kind: string; readonly reason?: string }): string =>
  outcome.reason ?? outcome.kind;

/** Returns the reason why a result differs from the result that the permission implies. */
function unexpected({ expects }: Draft, { data, error }: WrittenCase["received"]): string | undefined {
  const code = error?.code ?? (data === undefined ? "no data" : "data");
  if (code === expects) return undefined;
  return error === undefined
    ? `expected ${expects}, and the operation succeeds`
    : `the operation fails: ${error.message}`;
}
