/** Runs one case: rows and request in a transaction that is rolled back, with the admission and execution of a server. */

import type { Json } from "../../../compiler/catalog/model.ts";
import type { Shape } from "../../../compiler/shape/shape.ts";
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import type { DatabaseSource, SourceTransaction } from "../../databases/sources/source.ts";
import { type Generation, onSources } from "../../execute/generation.ts";
import { namedSession } from "../../http/auth/session.ts";
import { quoteIdentifier } from "../../model/dialects/postgres/quote.ts";
import { renderGraphqlError } from "../../values/error-body.ts";
import { EngineError } from "../../values/errors.ts";
import { parseDatabaseJson } from "../../values/json/parse.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { decoded } from "../../values/response-text.ts";
import { offlineServices } from "../compile/offline-services.ts";
import { locateSqlFailure } from "../migrations/sql-failure.ts";
import type { TestSource } from "./test-databases.ts";
import type { RowsStep, SetupStep, TestCase, TestFile } from "./test-file.ts";

export interface Runner {
  readonly generation: Generation;
  readonly options: Options;
  readonly environment: Environment;
  readonly sources: ReadonlyMap<string, TestSource>;
}

/** The response of a request. */
export interface Received {
  readonly data?: Json;
  readonly error?: { readonly code: string; readonly message: string; readonly path: string };
}

export type CaseResult =
  | {
      readonly kind: "received";
      readonly received: Received;
      /** Hosts that the request would have called. */
      readonly refusedHosts: readonly string[];
    }
  /** The setup failed, so that nothing was tested. */
  | { readonly kind: "broken"; readonly reason: string };

/**
 * @param databases copies of the databases that no other case uses at the same time
 * @throws EngineError if the SQL has ended its transaction, so that the copies may have changed
 */
export async function runCase(
  runner: Runner,
  file: Pick<TestFile, "seeds" | "setup">,
  test: TestCase,
  databases: ReadonlyMap<string, DatabaseSource>,
): Promise<CaseResult> {
  return rehearsed([...databases], new Map(), async (sources) => {
    try {
      await setUp(runner, file, test, sources);
    } catch (error) {
      if (error instanceof EngineError) return { kind: "broken", reason: error.message };
      throw error;
    }
    return request(runner, test, sources);
  });
}

/** Opens a transaction in each database. */
async function rehearsed<T>(
  [first, ...rest]: readonly (readonly [string, DatabaseSource])[],
  opened: ReadonlyMap<string, DatabaseSource>,
  work: (sources: ReadonlyMap<string, DatabaseSource>) => Promise<T>,
): Promise<T> {
  if (first === undefined) return work(opened);
  const [name, database] = first;
  if (database.rehearse === undefined) throw new EngineError("not-supported", "$", `database ${name} cannot be tested`);
  return database.rehearse((rehearsal) => rehearsed(rest, new Map([...opened, [name, rehearsal]]), work));
}

// ---------------------------------------------------------------- setup

async function setUp(
  runner: Runner,
  file: Pick<TestFile, "seeds" | "setup">,
  test: TestCase,
  sources: ReadonlyMap<string, DatabaseSource>,
): Promise<void> {
  const steps = [...file.setup, ...test.setup].map((step) => ({ step, source: sourceOf(step, sources).name }));
  for (const [name, source] of sources) {
    const { resetSequences = "", seeds = [], shape } = runner.sources.get(name) ?? {};
    const own = steps.filter((each) => each.source === name);
    await source.transaction({}, async (transaction) => {
      if (resetSequences !== "") await transaction.runSql(resetSequences);
      for (const seed of file.seeds ? seeds : []) {
        await transaction.runSql(seed.sql).catch((error: unknown) => {
          throw locateSqlFailure(error, seed);
        });
      }
      for (const { step } of own) await applyStep(step, transaction, shape);
    });
  }
}

function sourceOf({ database, at }: SetupStep, sources: ReadonlyMap<string, DatabaseSource>): DatabaseSource {
  const [only] = sources.size === 1 ? sources.values() : [];
  const name = database ?? only?.name ?? "default";
  const found = sources.get(name);
  if (found !== undefined) return found;
  const known = [...sources.keys()];
  const hint = didYouMean(name, known) ?? `the databases are ${known.join(", ")}`;
  throw new EngineError("not-found", "$", `${at}: no database ${JSON.stringify(name)}: ${hint}`);
}

async function applyStep(step: SetupStep, transaction: SourceTransaction, shape: Shape | undefined): Promise<void> {
  try {
    if ("sql" in step) {
      await transaction.runSql(step.sql);
      return;
    }
    await insertRows(step, transaction);
    await advanceSequences(step, transaction, shape);
  } catch (error) {
    throw "sql" in step ? locateSqlFailure(error, { path: `${step.at}: line`, sql: step.sql }) : located(error, step);
  }
}

function located(error: unknown, { at, table }: RowsStep): unknown {
  if (!(error instanceof EngineError)) return error;
  const { cause } = error;
  const reason = cause instanceof Error ? cause.message : error.message;
  return new EngineError(error.code, "$", `${at}: rows of ${table.schema}.${table.name}: ${reason}`, { cause: error });
}

/** Inserts rows with one statement for each set of columns, so that missing ones have their defaults. */
async function insertRows({ table, rows }: RowsStep, transaction: SourceTransaction): Promise<void> {
  const name = `${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)}`;
  for (const group of byColumns(rows)) {
    const columns = Object.keys(group[0] ?? {})
      .map(quoteIdentifier)
      .join(", ");
    if (columns === "") {
      for (const _ of group) await transaction.query({ text: `insert into ${name} default values` }, []);
      continue;
    }
    const values = `pg_catalog.json_populate_recordset(null::${name}, $1::json)`;
    const text = `insert into ${name} (${columns}) overriding system value select ${columns} from ${values}`;
    await transaction.query({ text }, [stringifyJson(group)]);
  }
}

/** Advances the sequences of columns beyond the inserted values, which the next rows would otherwise repeat. */
async function advanceSequences(
  { table, rows }: RowsStep,
  transaction: SourceTransaction,
  shape: Shape | undefined,
): Promise<void> {
  const { columns = [] } =
    shape?.tables.find(({ schema, name }) => schema === table.schema && name === table.name) ?? {};
  const counted = columns.filter(
    ({ name, type, hasDefault, identity }) =>
      (hasDefault || identity !== null) && integerTypes.has(type.name) && rows.some((row) => Object.hasOwn(row, name)),
  );
  const qualified = `${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)}`;
  for (const { name } of counted) {
    const sequence = "pg_catalog.pg_get_serial_sequence($1, $2)";
    const text = `select pg_catalog.setval(sequence, largest) from (select ${sequence} as sequence,
      (select max(${quoteIdentifier(name)}) from ${qualified}) as largest) as of where sequence is not null and largest > 0`;
    await transaction.query({ text }, [qualified, name]);
  }
}

const integerTypes: ReadonlySet<string> = new Set(["int2", "int4", "int8"]);

/** Groups consecutive rows with the same columns. */
function byColumns(rows: RowsStep["rows"]): readonly RowsStep["rows"][] {
  const groups: RowsStep["rows"][number][][] = [];
  const keyOf = (row: object): string => JSON.stringify(Object.keys(row));
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && keyOf(last[0]) === keyOf(row)) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

// ---------------------------------------------------------------- the request

async function request(
  { generation, options, environment }: Runner,
  { session, query, operation, variables }: TestCase,
  sources: ReadonlyMap<string, DatabaseSource>,
): Promise<CaseResult> {
  const refusedHosts = new Set<string>();
  const outboundAllow: Options["outboundAllow"] = {
    refusal(host) {
      refusedHosts.add(host);
      return `permission tests call no other services, and ${host} is one`;
    },
  };
  const current = onSources(generation, sources);
  const { services, close } = offlineServices({ ...options, outboundAllow }, environment, () => current);
  const errors: EngineError[] = [];
  let data: Json | undefined;
  try {
    const named = namedSession(session.role, session.variables, options.headerAlias);
    const admitted = await services.admission.admit(named, 1, { peer: "" });
    const body = { query, operationName: operation, variables };
    const addError = (error: EngineError) => errors.push(error);
    const text = await services.graphql.execute(body, admitted, undefined, { addError });
    data = parseDatabaseJson(await decoded(text)) as Json;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    errors.unshift(error);
  } finally {
    await close();
  }
  const [error] = errors;
  const received = { ...(data !== undefined && { data }), ...(error && { error: rendered(error) }) };
  return { kind: "received", received, refusedHosts: [...refusedHosts] };
}

/** Returns the error as a client without privileges receives it. */
function rendered(error: EngineError): NonNullable<Received["error"]> {
  const { errors } = JSON.parse(renderGraphqlError(error, false)) as {
    readonly errors: readonly [{ readonly message?: unknown; readonly extensions?: Readonly<Record<string, unknown>> }];
  };
  const [{ message, extensions = {} }] = errors;
  return { code: String(extensions.code ?? ""), message: String(message ?? ""), path: String(extensions.path ?? "") };
}
