/** Runs the steps of mutation fields in one transaction and builds the JSON text of each field. */

import type { Deadline } from "../databases/sources/deadline.ts";
import type { DatabaseSource, ErrorTable, PreparedStatement, SqlValue, TextRow } from "../databases/sources/source.ts";
import { type BindInput, bind, sessionText } from "../model/definitions/parameters.ts";
import type { ResultPiece, StepColumn, WriteStep } from "../model/planner/mutate/plan.ts";
import { EngineError } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import { noSpan, type Span } from "../values/span.ts";
import type { Validation } from "./input-validator.ts";
import type { PinnedGeneration } from "./pinned-generation.ts";
import { isResult, type PreparedStep, type PreparedWrites } from "./prepared-writes.ts";
import { traceSetting } from "./trace-setting.ts";

export interface BoundWrites {
  readonly writes: PreparedWrites;
  /** Validation webhooks to call before the first statement. */
  readonly validations: readonly Validation[];
  /** Values of each step; NULL for results of earlier steps, which are not known yet. */
  readonly values: readonly (readonly SqlValue[])[];
  readonly input: BindInput;
}

/**
 * Binds the values of all fields before anything runs.
 * @throws EngineError for an invalid value
 */
export function bindWrites(writes: PreparedWrites, input: BindInput): BoundWrites {
  const validations: Validation[] = [];
  for (const { validations: planned } of writes.plans) {
    for (const { webhook, input: read } of planned) validations.push({ webhook, input: read(input.variables) });
  }
  const values = writes.steps.map(({ step: { slots }, needsResults }) =>
    needsResults ? slots.map((slot) => (isResult(slot) ? null : (bind([slot], input)[0] ?? null))) : bind(slots, input),
  );
  return { writes, validations, values, input };
}

/** Returns the values of a step, with the results of the steps before it. */
function completeValues(
  { step: { slots }, needsResults }: PreparedStep,
  boundValues: readonly SqlValue[],
  input: BindInput,
  results: readonly TextRow[],
): readonly SqlValue[] {
  if (!needsResults) return boundValues;
  return slots.map((slot, at) =>
    isResult(slot) ? (bind([slot], { ...input, results })[0] ?? null) : (boundValues[at] ?? null),
  );
}

interface RunOptions {
  readonly errors: ErrorTable;
  /** The generation of the write. No statement is sent once it is stale. */
  readonly pinned: PinnedGeneration;
  /** The time at which the transaction is rolled back if it has not committed. */
  readonly deadline?: Deadline | undefined;
  readonly span?: Span;
  /** Headers of the request: events store its trace context if the server does not trace. */
  readonly clientHeaders?: Session["clientHeaders"];
  readonly tag?: ((statement: PreparedStatement, field: number) => PreparedStatement) | undefined;
}

/**
 * Runs the fields in order, all or nothing.
 * @returns the JSON text of each field
 * @throws EngineError at the path of the step that failed
 */
export async function runWrites(
  bound: BoundWrites,
  source: DatabaseSource,
  options: RunOptions,
): Promise<readonly string[]> {
  const { plans, steps } = bound.writes;
  const [only] = steps;
  if (only === undefined) return plans.map(({ result }) => fieldText(result, []));
  // A statement that runs alone is committed before its row count is known.
  const isAlone = steps.length === 1 && only.step.expects === undefined;
  const rows = isAlone ? await runAlone(only, bound, source, options) : await runSteps(bound, source, options);
  return plans.map(({ result }, field) => fieldText(result, rows[field] ?? []));
}

/** Rows by field, then by step. */
type FieldRows = readonly (readonly TextRow[])[];

async function runAlone(
  { step, field, statement }: PreparedStep,
  { values: [boundValues = []], input }: BoundWrites,
  source: DatabaseSource,
  { errors, pinned, deadline, span = noSpan, clientHeaders, tag }: RunOptions,
): Promise<FieldRows> {
  const setsUser = step.setsUser && source.readsOtherUserSetting !== true;
  const user = setsUser ? undefined : sessionText(input.session);
  const timeoutMilliseconds = deadline?.timeoutMilliseconds();
  const traceContext = traceSetting(span, clientHeaders);
  const options = { errors, user, traceContext, timeoutMilliseconds, beforeSending: () => pinned.beforeWrite() };
  try {
    const rows: TextRow[][] = [];
    rows[field] = [firstRow(await source.executeAlone(options, tag ? tag(statement, field) : statement, boundValues))];
    return rows;
  } catch (thrown) {
    throw withPath(thrown, step, deadline);
  }
}

async function runSteps(
  { writes: { plans, steps }, values, input }: BoundWrites,
  source: DatabaseSource,
  { errors, pinned, deadline, span = noSpan, clientHeaders, tag }: RunOptions,
): Promise<FieldRows> {
  const user = sessionText(input.session);
  let last = steps[0]?.step;
  try {
    const traceContext = traceSetting(span, clientHeaders);
    const timeoutMilliseconds = deadline?.timeoutMilliseconds();
    const options = { errors, user, traceContext, timeoutMilliseconds, repeatable: true } as const;
    const written = await source.transaction(options, async (transaction) => {
      const rows: TextRow[][] = plans.map(() => []);
      for (const [i, each] of steps.entries()) {
        last = each.step;
        const results = rows[each.field] ?? [];
        if (isSkipped(each.step, results)) {
          results.push([]);
          continue;
        }
        await pinned.assertCurrent();
        const statement = tag ? tag(each.statement, each.field) : each.statement;
        const complete = completeValues(each, values[i] ?? [], input, results);
        // COMMIT cannot be sent with the last statement if a row count or a deadline must be checked first.
        const isLast = i === steps.length - 1 && each.step.expects === undefined && deadline === undefined;
        const row = firstRow(
          await (isLast ? transaction.queryLast(statement, complete) : transaction.query(statement, complete)),
        );
        checkRows(each.step, row);
        deadline?.check();
        results.push(row);
      }
      return rows;
    });
    pinned.noteWrite();
    return written;
  } catch (thrown) {
    throw withPath(thrown, last, deadline);
  }
}

function withPath(thrown: unknown, step: WriteStep | undefined, deadline: Deadline | undefined): unknown {
  const error = deadline ? deadline.explain(thrown) : thrown;
  return step && error instanceof EngineError && error.path === "$" ? error.at(step.path) : error;
}

/** Returns true if an earlier step has none of the rows that a step needs, or has rows that exclude the step. */
function isSkipped({ needs, lacks = [] }: WriteStep, results: readonly TextRow[]): boolean {
  const hasRows = ({ step, column }: StepColumn): boolean => Number(results[step]?.[column] ?? 0) > 0;
  return (needs !== undefined && !hasRows(needs)) || lacks.some(hasRows);
}

function checkRows({ expects }: WriteStep, row: TextRow): void {
  if (expects === undefined) return;
  const count = Number(row[expects.column]);
  if (count === expects.rows || (expects.orNone && count === 0)) return;
  throw new EngineError("not-supported", expects.path, expects.message);
}

/** Returns an empty row if the single row was not written. */
function firstRow([row = []]: readonly TextRow[]): TextRow {
  return row;
}

function fieldText(pieces: readonly ResultPiece[], rows: readonly TextRow[]): string {
  const text = ({ step, column }: StepColumn): string => rows[step]?.[column] ?? "null";
  const count = ({ step, column }: StepColumn): number => Number(rows[step]?.[column] ?? 0);
  return pieces
    .map((piece) => {
      if (typeof piece === "string") return piece;
      if ("sum" in piece) return String(piece.sum.reduce((sum, column) => sum + count(column), 0));
      return text(piece);
    })
    .join("");
}
