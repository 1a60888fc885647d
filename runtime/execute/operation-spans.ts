/** Trace spans of an operation: its stages, root fields, statements and remote calls. */

import type { DatabaseSource, PreparedStatement } from "../databases/sources/source.ts";
import type { Plan, PlanPart } from "../model/planner/plan.ts";
import { EngineError } from "../values/errors.ts";
import { noSpan, type Span, type SpanAttributes } from "../values/span.ts";
import type { PlannedOperation } from "./plan-operation.ts";
import type { BoundRemote } from "./remote/bound-remote.ts";

/** Names of the spans of stages (`docs/how-to/tracing.md`). */
const stages = { plan: "Parse GraphQL", join: "Process remote joins", encode: "Encode response" };

/**
 * Runs a stage of a request in its own span.
 * @param work may return a promise
 */
export function timed<T>(span: Span = noSpan, stage: keyof typeof stages, work: () => T): T {
  if (!span.isRecording) return work();
  const timing = span.child(stages[stage]);
  const fail = (error: unknown): never => {
    timing.fail(error);
    timing.end();
    throw error;
  };
  let result: T;
  try {
    result = work();
  } catch (error) {
    return fail(error);
  }
  if (!(result instanceof Promise)) {
    timing.end();
    return result;
  }
  const end = (value: unknown): unknown => {
    timing.end();
    return value;
  };
  return result.then(end, fail) as T;
}

export function describeOperation(span: Span, planned: PlannedOperation): PlannedOperation {
  const { definition } = planned.operation();
  span.set({
    "graphql.operation.name": definition.name?.value,
    "graphql.operation.type": planned.kind,
    ...(span.withTexts && { "graphql.document": planned.query }),
  });
  return planned;
}

/** Returns the root fields that a statement resolves. */
export function fieldsOfStatement({ parts }: Plan, statement: number): readonly string[] {
  return fieldsWhere(parts, (part) => part.kind === "column" && part.statement === statement);
}

/** Returns the root fields that `count` writes resolve, starting at index `from`. */
export function fieldsOfWrites({ parts }: Plan, from: number, count: number): readonly string[] {
  return fieldsWhere(parts, (part) => part.kind === "write" && part.write >= from && part.write < from + count);
}

function fieldsWhere(parts: readonly PlanPart[], matches: (part: PlanPart) => boolean): readonly string[] {
  return parts.flatMap((part) =>
    part.kind === "object" ? fieldsWhere(part.parts, matches) : matches(part) ? [part.key] : [],
  );
}

export type TracedSource = Pick<DatabaseSource, "name" | "system" | "place">;

/** Returns the span attributes of a database, named by OpenTelemetry's semantic conventions. */
export function databaseAttributes({ name, system, place }: TracedSource): SpanAttributes {
  return {
    "db.system.name": system,
    "db.namespace": place?.database || undefined,
    "server.address": place?.address || undefined,
    "server.port": place?.port,
    source_name: name,
  };
}

/** Returns the database's error code (SQLSTATE, or the error number of SQL Server), if any. */
function databaseCode(error: unknown): string | undefined {
  const cause: unknown = error instanceof EngineError ? error.cause : undefined;
  if (!(cause instanceof Error)) return undefined;
  if ("number" in cause && typeof cause.number === "number") return String(cause.number);
  const code = "code" in cause ? cause.code : undefined;
  return typeof code === "string" && sqlState.test(code) ? code : undefined;
}

/** Requires a digit, because error codes of the operating system (`EPIPE`) have none. */
const sqlState = /^(?=.*\d)[0-9A-Z]{5}$/;

export interface SpannedStatement {
  readonly source: TracedSource;
  /** The statement; absent for a transaction of several statements. */
  readonly statement?: PreparedStatement | undefined;
  readonly fields: readonly string[];
}

/** Runs a database query in a span, with a span for each root field that it resolves. */
export async function spannedStatement<T>(
  span: Span,
  { source, statement, fields }: SpannedStatement,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  if (!span.isRecording) return work(noSpan);
  const roots = fields.map((field) => span.child(field));
  const query = (roots[0] ?? span).child("Database query", "client", {
    ...databaseAttributes(source),
    ...(span.withTexts && { "db.query.text": statement?.text }),
  });
  const all = [query, ...roots];
  try {
    return await work(query);
  } catch (error) {
    query.set({ "db.response.status_code": databaseCode(error) });
    for (const each of all) each.fail(error);
    throw error;
  } finally {
    for (const each of all) each.end();
  }
}

export function spanOfRemote(span: Span = noSpan, { fields: [field] }: BoundRemote["plan"]): Span {
  return span.child(`Remote schema query for root field "${field?.key ?? ""}"`, "client");
}

/** Returns the request with the trace context of its call, so that the remote server continues the trace. */
export function withSpan(callSpan: Span, bound: BoundRemote): BoundRemote {
  if (!callSpan.isRecording) return bound;
  return { ...bound, headers: { ...bound.headers, ...callSpan.headers() }, span: callSpan };
}
