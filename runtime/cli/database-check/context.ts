/** The parts that a program of a suite uses, and its cases. */
import { isDeepStrictEqual } from "node:util";
import type { SourceKind } from "../../../compiler/catalog/model.ts";
import type { Target } from "./check-database.ts";
import type { Setup } from "./suites.ts";

/** Sends a request to the engine, and resolves to the parsed body of the response. */
export type Post = (path: string, body: unknown, headers?: Readonly<Record<string, string>>) => Promise<unknown>;

export interface CheckContext {
  readonly kind: SourceKind;
  /** `http://…` of the engine. */
  readonly engine: string;
  readonly post: Post;
  readonly target: Target;
  readonly setup: Setup;
  /** Replaces the metadata by that of the setup. @param connection further settings of the source's connection */
  track(connection?: Readonly<Record<string, unknown>>): Promise<void>;
}

interface ProgramCase {
  readonly name: string;
  /** Rejects with the failure: a `CheckFailure`, `Skipped`, or a defect. */
  run(): Promise<void>;
}

export type Program = (context: CheckContext) => readonly ProgramCase[] | Promise<readonly ProgramCase[]>;

/** A difference from the expected result. */
export class CheckFailure extends Error {
  /** The statement, if it is known. */
  readonly statement: string | undefined;

  constructor(message: string, statement?: string) {
    super(message);
    this.statement = statement;
  }
}

/** The reason why a case cannot run on this server, such as a missing right. */
export class Skipped extends Error {}

interface Response {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly ResponseError[];
}

interface ResponseError {
  readonly message?: string;
  readonly extensions?: { readonly code?: string; readonly internal?: unknown };
}

/** Resolves to the data of a response. @throws CheckFailure for errors */
export async function dataOf(
  post: Post,
  query: string,
  variables: object = {},
): Promise<Readonly<Record<string, unknown>>> {
  const { data, errors } = await responseOf(post, query, variables);
  if (data && !errors) return data;
  throw new CheckFailure(`the response is ${JSON.stringify(errors ?? data)}`, query);
}

export async function responseOf(post: Post, query: string, variables: object = {}): Promise<Response> {
  return (await post("/v1/graphql", { query, variables })) as Response;
}

/** @throws CheckFailure if two values differ as JSON */
export function expectEqual(actual: unknown, expected: unknown, subject: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new CheckFailure(`${subject}: expected ${JSON.stringify(expected)}, received ${JSON.stringify(actual)}`);
}
