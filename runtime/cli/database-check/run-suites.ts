/** Runs suites on an engine in this process, whose only source is the database of the check. */
import { isDeepStrictEqual } from "node:util";
import { parseOptions } from "../../config/options.ts";
import { createLog } from "../../observe/logs/log.ts";
import { startServer } from "../../server/live/start-server.ts";
import { version } from "../version.ts";
import type { Target } from "./check-database.ts";
import { type CheckContext, CheckFailure, type Post, Skipped } from "./context.ts";
import { programs } from "./programs/index.ts";
import type { RequestCase, Selection, Setup, Suite, Suites } from "./suites.ts";

export interface CaseResult {
  readonly suite: string;
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly milliseconds: number;
  /** The difference, or the reason why the case was skipped. */
  readonly reason?: string;
  /** The statement that the compiler generates for the request, or the request. */
  readonly statement?: string;
}

export interface RunSettings {
  readonly target: Target;
  readonly suites: Suites;
  readonly selects: Selection;
  /** Returns the address that receives requests, given the one of the engine; default the same. */
  readonly front?: (engine: string) => Promise<string>;
  readonly onResult: (result: CaseResult) => void;
}

/** Variables that name the URL in the metadata of the setups. */
const sourceVariables: Readonly<Record<Target["kind"], string>> = {
  postgres: "ENGINE_GRAPHQL_DATABASE_URL",
  mssql: "ENGINE_MSSQL_CHECK_URL",
};

/** Returns the environment of the engine. */
export function checkEnvironment({ kind, url, metadataUrl }: Pick<Target, "kind" | "url" | "metadataUrl">) {
  return {
    [sourceVariables[kind]]: url,
    ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadataUrl,
    ENGINE_GRAPHQL_SERVER_HOST: "127.0.0.1",
    ENGINE_GRAPHQL_SERVER_PORT: "0",
    // Errors contain the statement and the message of the database.
    ENGINE_GRAPHQL_DEV_MODE: "true",
  };
}

/** Runs the selected cases in order. @throws EngineError if the engine does not start */
export async function runSuites({ target, suites, selects, front, onResult }: RunSettings): Promise<void> {
  const environment = checkEnvironment(target);
  const options = parseOptions({}, environment);
  const log = createLog(options, { write: () => undefined });
  const server = await startServer({ options, environment, log, version, sample: null });
  try {
    const live = `http://127.0.0.1:${server.port}`;
    const engine = (await front?.(live)) ?? live;
    const post: Post = async (path, body, headers = {}) => {
      const response = await fetch(`${engine}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
      return response.json();
    };
    for (const suite of suites.suites) {
      const setup = suites.setups[suite.setup]?.[target.kind];
      if (setup === undefined || !selects(suite.name)) continue;
      const track = (connection = {}): Promise<void> => trackSetup(post, target, setup, connection);
      await runSuite({ kind: target.kind, engine, post, target, setup, track }, { suite, selects, onResult });
    }
  } finally {
    await server.close();
  }
}

async function runSuite(
  context: CheckContext,
  { suite, selects, onResult }: { readonly suite: Suite } & Pick<RunSettings, "selects" | "onResult">,
): Promise<void> {
  const { target, setup, kind } = context;
  const measured = async (name: string, run: () => Promise<void>, statement?: string): Promise<boolean> => {
    const began = performance.now();
    const result = await outcomeOf(run, statement);
    onResult({ suite: suite.name, name, ...result, milliseconds: Math.round(performance.now() - began) });
    return result.outcome === "passed";
  };
  const prepare = async (): Promise<void> => {
    await target.reset(setup);
    await context.track();
  };
  // A failed setup would fail each case for the same reason.
  const began = await outcomeOf(prepare);
  if (began.outcome !== "passed") {
    onResult({ suite: suite.name, name: "setup", ...began, milliseconds: 0 });
    return;
  }
  let isFresh = true;
  const run = async (name: string, work: () => Promise<void>, statement?: string): Promise<void> => {
    if (!selects(suite.name, name)) return;
    const again = suite.reset === "case" && !isFresh;
    isFresh = false;
    await measured(
      name,
      async () => {
        if (again) await target.reset(setup);
        await work();
      },
      statement,
    );
  };
  for (const each of suite.cases) {
    if (each.absent?.[kind] !== undefined) continue;
    await run(each.name, () => runRequest(context, each), each.statements?.[kind]);
  }
  const program = suite.program === undefined ? undefined : programs[suite.program];
  for (const each of (await program?.(context)) ?? []) await run(each.name, () => each.run());
}

type Outcome = Pick<CaseResult, "outcome" | "reason" | "statement">;

async function outcomeOf(run: () => Promise<void>, statement?: string): Promise<Outcome> {
  try {
    await run();
    return { outcome: "passed" };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof Skipped) return { outcome: "skipped", reason };
    const sent = error instanceof CheckFailure ? (error.statement ?? statement) : statement;
    return { outcome: "failed", reason, ...(sent !== undefined && { statement: sent }) };
  }
}

async function runRequest({ kind, post }: CheckContext, each: RequestCase): Promise<void> {
  const query = each.queries?.[kind] ?? each.query;
  const body = { query, variables: each.variables ?? null };
  const response = (await post("/v1/graphql", body, each.session)) as {
    readonly data?: unknown;
    readonly errors?: readonly { readonly extensions?: { readonly code?: unknown } }[];
  };
  const code = response.errors?.[0]?.extensions?.code;
  const actual = response.errors ? { error: { code } } : response.data;
  if (isDeepStrictEqual(actual, each.result)) return;
  throw new CheckFailure(`expected ${JSON.stringify(each.result)}, received ${JSON.stringify(response)}`);
}

/** Replaces the metadata. @throws CheckFailure if it is inconsistent with the tables */
async function trackSetup(
  post: Post,
  { kind }: Pick<Target, "kind">,
  { metadata, tables }: Setup,
  connection: Readonly<Record<string, unknown>>,
): Promise<void> {
  const given = (metadata?.sources as readonly Source[] | undefined)?.[0] ?? {
    name: "default",
    kind,
    configuration: connectionOf[kind],
    tables,
  };
  const info = { ...given.configuration.connection_info, ...connection };
  const source = { ...given, configuration: { ...given.configuration, connection_info: info } };
  const document = { ...(metadata ?? { version: 3 }), sources: [source] };
  const args = { allow_inconsistent_metadata: false, metadata: document };
  const replaced = await post("/v1/metadata", { type: "replace_metadata", version: 2, args });
  if (isDeepStrictEqual(replaced, { inconsistent_objects: [], is_consistent: true })) return;
  throw new CheckFailure(`the metadata does not fit the database: ${JSON.stringify(replaced)}`);
}

interface Source {
  readonly configuration: { readonly connection_info: Readonly<Record<string, unknown>> };
}

const connectionOf: Readonly<Record<Target["kind"], Source["configuration"]>> = {
  postgres: { connection_info: { database_url: { from_env: sourceVariables.postgres } } },
  mssql: { connection_info: { connection_string: { from_env: sourceVariables.mssql } } },
};
