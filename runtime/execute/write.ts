/** Runs the steps of mutation fields in one transaction and puts their answers together (`graphql-api.md` 6.1). */

import type { Deadline } from "../databases/sources/deadline.ts";
import type { DatabaseSource, ErrorTable, PreparedStatement, SqlValue, TextRow } from "../databases/sources/source.ts";
import { type BindInput, bind, sessionText } from "../model/definitions/parameters.ts";
import type { AnswerPiece, StepColumn, WriteStep } from "../model/planner/mutate/plan.ts";
import { EngineError } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import { noSpan, type Span } from "../values/span.ts";
import type { Basis } from "./basis.ts";
import type { Validation } from "./input-validator.ts";
import { isResult, type PreparedStep, type PreparedWrites } from "./prepared-writes.ts";
import { traceSetting } from "./trace-setting.ts";

/** Writes with the values of one request. */
export interface BoundWrites {
  readonly writes: PreparedWrites;
  /** What is asked before the first statement. */
  readonly validations: readonly Validation[];
  /** Those of each step; NULL where an earlier step's result belongs. */
  readonly values: readonly (readonly SqlValue[])[];
  readonly input: BindInput;
}

/**
 * Binds the values of all fields, so that a bad one runs nothing.
 * @throws EngineError
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

/** The values of a step, when those before it have run. */
function completeValues(
  { step: { slots }, needsResults }: PreparedStep,
  known: readonly SqlValue[],
  input: BindInput,
  results: readonly TextRow[],
): readonly SqlValue[] {
  if (!needsResults) return known;
  return slots.map((slot, at) =>
    isResult(slot) ? (bind([slot], { ...input, results })[0] ?? null) : (known[at] ?? null),
  );
}

interface RunOptions {
  readonly errors: ErrorTable;
  /** What they were planned on: nothing more is sent when it does not hold any more. */
  readonly basis: Basis;
  /** What is not written by then is rolled back. */
  readonly deadline?: Deadline | undefined;
  /** Absent: nobody is told. */
  readonly span?: Span;
  /** The headers of the request, whose trace events keep where it is not told; absent: it had none. */
  readonly clientHeaders?: Session["clientHeaders"];
  /** Tags a statement of a field; absent: it stays as it is. */
  readonly tag?: ((statement: PreparedStatement, field: number) => PreparedStatement) | undefined;
}

/**
 * Runs the fields in their order, all or nothing.
 * @returns the JSON text of each field's answer
 * @throws EngineError at the path of the step that failed
 */
export async function runWrites(
  bound: BoundWrites,
  source: DatabaseSource,
  options: RunOptions,
): Promise<readonly string[]> {
  const { plans, steps } = bound.writes;
  const [only] = steps;
  if (only === undefined) return plans.map(({ answer }) => answerText(answer, []));
  const rows =
    steps.length === 1 ? await runAlone(only, bound, source, options) : await runSteps(bound, source, options);
  return plans.map(({ answer }, field) => answerText(answer, rows[field] ?? []));
}

/** The rows that the steps of each field gave. */
type FieldRows = readonly (readonly TextRow[])[];

async function runAlone(
  { step, field, statement }: PreparedStep,
  { values: [known = []], input }: BoundWrites,
  source: DatabaseSource,
  { errors, basis, deadline, span = noSpan, clientHeaders, tag }: RunOptions,
): Promise<FieldRows> {
  const setsUser = step.setsUser && source.readsUserElsewhere !== true;
  const user = setsUser ? undefined : sessionText(input.session);
  const timeoutMilliseconds = deadline?.timeoutMilliseconds();
  const traceContext = traceSetting(span, clientHeaders);
  const options = { errors, user, traceContext, timeoutMilliseconds, beforeSending: () => basis.check() };
  try {
    const rows: TextRow[][] = [];
    rows[field] = [firstRow(await source.executeAlone(options, tag ? tag(statement, field) : statement, known))];
    return rows;
  } catch (thrown) {
    throw located(thrown, step, deadline);
  }
}

async function runSteps(
  { writes: { plans, steps }, values, input }: BoundWrites,
  source: DatabaseSource,
  { errors, basis, deadline, span = noSpan, clientHeaders, tag }: RunOptions,
): Promise<FieldRows> {
  const user = sessionText(input.session);
  let last = steps[0]?.step;
  try {
    const traceContext = traceSetting(span, clientHeaders);
    const timeoutMilliseconds = deadline?.timeoutMilliseconds();
    const options = { errors, user, traceContext, timeoutMilliseconds, repeatable: true } as const;
    return await source.transaction(options, async (transaction) => {
      const rows: TextRow[][] = plans.map(() => []);
      for (const [i, each] of steps.entries()) {
        last = each.step;
        const results = rows[each.field] ?? [];
        await basis.check();
        const statement = tag ? tag(each.statement, each.field) : each.statement;
        const complete = completeValues(each, values[i] ?? [], input, results);
        // What is looked at after the last statement has to be known before the end of the transaction.
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
  } catch (thrown) {
    throw located(thrown, last, deadline);
  }
}

function located(thrown: unknown, step: WriteStep | undefined, deadline: Deadline | undefined): unknown {
  const error = deadline ? deadline.explain(thrown) : thrown;
  return step && error instanceof EngineError && error.path === "$" ? error.at(step.path) : error;
}

function checkRows({ expects }: WriteStep, row: TextRow): void {
  if (expects === undefined || Number(row[expects.column]) === expects.rows) return;
  throw new EngineError("not-supported", expects.path, expects.message);
}

/** No row: the single row was not written. */
function firstRow([row = []]: readonly TextRow[]): TextRow {
  return row;
}

function answerText(pieces: readonly AnswerPiece[], rows: readonly TextRow[]): string {
  const text = ({ step, column }: StepColumn): string => rows[step]?.[column] ?? "null";
  return pieces
    .map((piece) => {
      if (typeof piece === "string") return piece;
      if ("sum" in piece) return String(piece.sum.reduce((sum, count) => sum + Number(text(count)), 0));
      return text(piece);
    })
    .join("");
}
