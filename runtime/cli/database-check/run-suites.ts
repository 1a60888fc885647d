/** Runs suites on an engine in this process, whose only source is the database of the check. */
import { isDeepStrictEqual } from "node:util";
import { parseOptions } from "../../config/options.ts";
import { createLog } from "../../observe/logs/log.ts";
import { startServer } from "../../server/live/start-server.ts";
import { version } from "../version.ts";
import type { Target } from "./check-database.ts";
import { type CheckContext, CheckFailure, type Post, Skipped } from "./context.ts";
import { programs } from "./programs/index.ts";
import { metadataSuite, type RequestCase, type Selection, type Suite, type Suites } from "./suites.ts";
import { listed, sourceVariables, trackSetup, unfit } from "./track-setup.ts";

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

/** Maximum time in milliseconds of a request. */
const patience = 120_000;

/** Runs the selected cases in order. @throws EngineError if the engine does not start */
export async function runSuites({ target, suites, selects, front, onResult }: RunSettings): Promise<void> {
  const server = await startEngine({ target, selects, onResult });
  try {
    const live = `http://127.0.0.1:${server.port}`;
    const engine = (await front?.(live)) ?? live;
    const post: Post = async (path, body, headers = {}) => {
      const response = await fetch(`${engine}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(patience),
      });
      return response.json();
    };
    for (const suite of suites.suites) {
      const setup = suites.setups[suite.setup]?.[target.kind];
      if (setup === undefined || !selects(suite.name)) continue;
      const track = async (connection = {}): Promise<void> => {
        const inconsistent = await trackSetup(post, target, setup, { connection });
        if (inconsistent.length > 0) throw unfit(inconsistent);
      };
      await runSuite({ kind: target.kind, engine, post, target, setup, track }, { suite, selects, onResult });
    }
  } finally {
    await server.close();
  }
}

/**
 * Starts the engine with its metadata in the database of the check. If the server cannot store them, which is a failed
 * case, their database is another one.
 */
async function startEngine({ target, selects, onResult }: Pick<RunSettings, "target" | "selects" | "onResult">) {
  const start = (metadataUrl: string) => {
    const environment = checkEnvironment({ ...target, metadataUrl });
    const options = parseOptions({}, environment);
    return startServer({
      options,
      environment,
      log: createLog(options, { write: () => undefined }),
      version,
      sample: null,
    });
  };
  const { otherMetadata } = target;
  if (otherMetadata === undefined) return await start(target.metadataUrl);
  const began = performance.now();
  const report = (outcome: Outcome): void => {
    const milliseconds = Math.round(performance.now() - began);
    if (selects(metadataSuite))
      onResult({ suite: metadataSuite, name: "tables of the metadata", ...outcome, milliseconds });
  };
  try {
    const server = await start(target.metadataUrl);
    report({ outcome: "passed" });
    return server;
  } catch (error) {
    // The message around it has the URL.
    const cause = error instanceof Error ? error.cause : undefined;
    report({ outcome: "failed", reason: reasonOf(cause instanceof Error ? cause : error) });
    return await start(await otherMetadata());
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
  const state = { isUsable: false };
  const began = await outcomeOf(async () => {
    const refused = await target.reset(setup);
    const inconsistent = await trackSetup(context.post, target, setup, { isPartial: true });
    state.isUsable = !inconsistent.some(({ type }) => type === "source");
    if (refused.length > 0) throw new CheckFailure(listed(refused));
    if (inconsistent.length > 0) throw unfit(inconsistent);
  });
  if (began.outcome !== "passed") onResult({ suite: suite.name, name: "setup", ...began, milliseconds: 0 });
  // Every case would fail for the same reason.
  if (!state.isUsable) return;
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
  let cases: Awaited<ReturnType<NonNullable<typeof program>>> = [];
  const listing = await outcomeOf(async () => {
    cases = (await program?.(context)) ?? [];
  });
  if (listing.outcome !== "passed") onResult({ suite: suite.name, name: "cases", ...listing, milliseconds: 0 });
  for (const each of cases) await run(each.name, () => each.run());
}

type Outcome = Pick<CaseResult, "outcome" | "reason" | "statement">;

async function outcomeOf(run: () => Promise<void>, statement?: string): Promise<Outcome> {
  try {
    await run();
    return { outcome: "passed" };
  } catch (error) {
    const reason = reasonOf(error);
    if (error instanceof Skipped) return { outcome: "skipped", reason };
    const sent = error instanceof CheckFailure ? (error.statement ?? statement) : statement;
    return { outcome: "failed", reason, ...(sent !== undefined && { statement: sent }) };
  }
}

/** Returns the message of an error, with the message of the database if it has one. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error && !message.includes(cause.message) ? `${message}: ${cause.message}` : message;
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
