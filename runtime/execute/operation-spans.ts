/** What traces tell of an operation: its root fields, and what each of them asks databases and others. */
import type { Plan, PlanPart } from "../planner/plan.ts";
import type { DatabaseSource, PreparedStatement } from "../sources/source.ts";
import { noSpan, type Span } from "../values/span.ts";
import type { PlannedOperation } from "./plan-operation.ts";

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

/** The field that asks others. */
export function fieldOfRequest({ parts }: Plan, kind: "remote" | "action", index: number): string {
  const isAsked = (part: PlanPart): boolean =>
    (part.kind === "remote" && kind === "remote" && part.request === index) ||
    (part.kind === "action" && kind === "action" && part.action === index);
  return fieldsWhere(parts, isAsked)[0] ?? "";
}

function fieldsWhere(parts: readonly PlanPart[], isWanted: (part: PlanPart) => boolean): readonly string[] {
  return parts.flatMap((part) =>
    part.kind === "object" ? fieldsWhere(part.parts, isWanted) : isWanted(part) ? [part.key] : [],
  );
}

export interface SpannedStatement {
  readonly source: Pick<DatabaseSource, "name" | "system">;
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
    "db.system.name": source.system,
    "db.namespace": source.name,
    ...(span.withTexts && { "db.query.text": statement?.text }),
  });
  const all = [query, ...roots];
  try {
    return await work(query);
  } catch (error) {
    for (const each of all) each.fail(error);
    throw error;
  } finally {
    for (const each of all) each.end();
  }
}
