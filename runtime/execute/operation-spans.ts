/** What traces tell of an operation: its root fields, and what each of them asks databases and others. */

import type { DatabaseSource, PreparedStatement } from "../databases/sources/source.ts";
import type { Plan, PlanPart } from "../model/planner/plan.ts";
import { EngineError } from "../values/errors.ts";
import { noSpan, type Span, type SpanAttributes } from "../values/span.ts";
import type { PlannedOperation } from "./plan-operation.ts";
import type { BoundRemote } from "./remote/bound-remote.ts";

/** Reads and plans it; the request's span learns what it is. */
export function spannedPlan(span: Span, plan: () => PlannedOperation): PlannedOperation {
  if (!span.isRecording) return plan();
  const parsing = span.child("Parse GraphQL");
  try {
    const planned = plan();
    const { definition } = planned.operation();
    span.set({
      "graphql.operation.name": definition.name?.value,
      "graphql.operation.type": planned.kind,
      ...(span.withTexts && { "graphql.query": planned.query }),
    });
    return planned;
  } catch (error) {
    parsing.fail(error);
    throw error;
  } finally {
    parsing.end();
  }
}

/** Fields of the answer that a statement answers. */
export function fieldsOfStatement({ parts }: Plan, statement: number): readonly string[] {
  return fieldsWhere(parts, (part) => part.kind === "column" && part.statement === statement);
}

/** Fields of a mutation that a group of writes answers. @param from the first of them @param count how many there are */
export function fieldsOfWrites({ parts }: Plan, from: number, count: number): readonly string[] {
  return fieldsWhere(parts, (part) => part.kind === "write" && part.write >= from && part.write < from + count);
}

function fieldsWhere(parts: readonly PlanPart[], isWanted: (part: PlanPart) => boolean): readonly string[] {
  return parts.flatMap((part) =>
    part.kind === "object" ? fieldsWhere(part.parts, isWanted) : isWanted(part) ? [part.key] : [],
  );
}

export type TracedSource = Pick<DatabaseSource, "name" | "system" | "place">;

/** What the span of a statement says of its database, in the words of OpenTelemetry's conventions. */
export function databaseAttributes({ name, system, place }: TracedSource): SpanAttributes {
  return {
    "db.system.name": system,
    "db.namespace": place?.database || undefined,
    "server.address": place?.address || undefined,
    "server.port": place?.port,
    source_name: name,
  };
}

/** The code that the database gave its error (SQLSTATE, or the number of SQL Server); `undefined`: it gave none. */
function databaseCode(error: unknown): string | undefined {
  const cause: unknown = error instanceof EngineError ? error.cause : undefined;
  if (!(cause instanceof Error)) return undefined;
  if ("number" in cause && typeof cause.number === "number") return String(cause.number);
  const code = "code" in cause ? cause.code : undefined;
  return typeof code === "string" && sqlState.test(code) ? code : undefined;
}

/** Codes of the operating system have no digits. */
const sqlState = /^(?=.*\d)[0-9A-Z]{5}$/;

export interface SpannedStatement {
  readonly source: TracedSource;
  /** Absent: they are several. */
  readonly statement?: PreparedStatement | undefined;
  /** The root fields that it answers. */
  readonly fields: readonly string[];
}

/** Asks a database; the root fields that it answers are steps of their own. */
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

/** The step of asking a remote server for a field of the request. */
export function spanOfRemote(span: Span = noSpan, { fields: [field] }: BoundRemote["plan"]): Span {
  return span.child(`Remote schema query for root field "${field?.key ?? ""}"`, "client");
}

/** The request as that step: the server goes on with the trace from there. */
export function within(asking: Span, bound: BoundRemote): BoundRemote {
  if (!asking.isRecording) return bound;
  return { ...bound, headers: { ...bound.headers, ...asking.headers() }, span: asking };
}
