/**
 * Sends all golden queries and mutations, and load cases, over HTTP to a product whose only source is a real database.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parse as parseYaml } from "yaml";
import { version } from "../../runtime/cli/version.ts";
import { type Environment, parseOptions } from "../../runtime/config/options.ts";
import { createLog } from "../../runtime/observe/logs/log.ts";
import { startServer } from "../../runtime/server/live/start-server.ts";
import { type CaseKind, casesOf, type GoldenCase, readCase, readFixture, readResult } from "../golden/cases.ts";
import { type SealingCounts, startSealingFront } from "../support/sealing-front.ts";
import { loadCases } from "./load-cases.ts";

export interface Target {
  readonly dialect: "postgres" | "mssql";
  /** The URL of the metadata database. */
  readonly metadataUrl: string;
  /** Environment with the variable that the cases' metadata uses as the source's URL. */
  readonly environment: Environment;
  /** Recreates the tables, with their rows. */
  readonly reset: () => Promise<void>;
  /** True if large and concurrent requests are included. */
  readonly withLoad?: boolean;
  /** Called with the counts of responses of a sealed artifact, if one was built. */
  readonly onSealed?: (counts: SealingCounts) => void;
}

export interface CaseResult {
  readonly name: string;
  /** The difference, with statements and database errors if known; absent if the case passed. */
  readonly failure?: string;
}

/** Runs all cases. @param onResult called with each result as soon as it is known */
export async function runCases(target: Target, onResult: (result: CaseResult) => void): Promise<readonly CaseResult[]> {
  const { dialect, metadataUrl } = target;
  await target.reset();
  const environment = {
    ...target.environment,
    ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadataUrl,
    ENGINE_GRAPHQL_SERVER_HOST: "127.0.0.1",
    ENGINE_GRAPHQL_SERVER_PORT: "0",
    // Errors contain the message of the database.
    ENGINE_GRAPHQL_DEV_MODE: "true",
  };
  const options = parseOptions({}, environment);
  const log = createLog(options, { write: () => undefined });
  const server = await startServer({ options, environment, log, version, sample: null });
  const live = `http://127.0.0.1:${server.port}`;
  const front = target.onSealed ? await startSealingFront({ live, environment }) : undefined;
  const post = async (
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<unknown> => {
    const response = await fetch(`${front?.url ?? live}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  try {
    const metadata: unknown = parseYaml(
      await readFixture(dialect === "mssql" ? "metadata.mssql.yaml" : "metadata.yaml"),
    );
    const args = { allow_inconsistent_metadata: false, metadata };
    const replaced = await post("/v1/metadata", { type: "replace_metadata", version: 2, args });
    if (!isDeepStrictEqual(replaced, { inconsistent_objects: [], is_consistent: true })) {
      throw new Error(`the metadata of the cases does not fit the database: ${JSON.stringify(replaced, null, 2)}`);
    }
    const results: CaseResult[] = [];
    for (const kind of ["query", "mutation"] as const) {
      for (const name of await casesOf(kind, dialect)) {
        if (kind === "mutation") await target.reset();
        const result = await runCase(kind, await readCase(kind, name, dialect), dialect, post);
        results.push(result);
        onResult(result);
      }
    }
    for (const { name, run } of target.withLoad ? loadCases(dialect) : []) {
      await target.reset();
      const result = await resultOf(`load/${name}`, () => run(post));
      results.push(result);
      onResult(result);
    }
    if (front) target.onSealed?.(front.counts);
    return results;
  } finally {
    await front?.close();
    await server.close();
  }
}

async function resultOf(name: string, run: () => Promise<void>): Promise<CaseResult> {
  try {
    await run();
    return { name };
  } catch (error) {
    return { name, failure: error instanceof Error ? error.message : String(error) };
  }
}

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly extensions?: { readonly code?: unknown } }[];
}

async function runCase(
  kind: CaseKind,
  golden: GoldenCase,
  dialect: Target["dialect"],
  post: (path: string, body: unknown, headers: Readonly<Record<string, string>>) => Promise<unknown>,
): Promise<CaseResult> {
  const { query, variables, session } = golden;
  const name = `${kind}/${golden.name}`;
  const expected = await readResult(golden);
  const answer = (await post("/v1/graphql", { query, variables }, session)) as Answer;
  const code = answer.errors?.[0]?.extensions?.code;
  const actual = answer.errors ? { error: { code } } : answer.data;
  if (isDeepStrictEqual(actual, expected)) return { name };
  const sent = await readFile(join(golden.folder, `${dialect}.sql`), "utf8");
  return {
    name,
    failure: `expected ${JSON.stringify(expected)}\nanswered ${JSON.stringify(answer)}\nsent, behind its parameters\n${sent}`,
  };
}
