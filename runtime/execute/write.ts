/** Runs the steps of mutation fields in one transaction and puts their answers together (`graphql-api.md` 6.1). */
import { createHash } from "node:crypto";
import type { Deadline } from "../sources/deadline.ts";
import type { DatabaseSource, ErrorTable, PreparedStatement, SqlValue, TextRow } from "../sources/source.ts";
import { EngineError, invariant } from "../support/errors.ts";
import type { AnswerPiece, StepColumn, WritePlan, WriteStep } from "../support/mutate/plan.ts";
import { type BindInput, bind, sessionText } from "../support/parameters.ts";
import type { Validation } from "./input-validator.ts";

/** A field's plan with its statements as sources run them. */
export interface PreparedWrite {
  readonly plan: WritePlan;
  readonly statements: readonly PreparedStatement[];
}

/** @param named whether the statements will come again */
export function prepareWrite(plan: WritePlan, { named }: { readonly named: boolean }): PreparedWrite {
  const statements = plan.steps.map(({ text }) => (named ? { text, name: statementName(text) } : { text }));
  return { plan, statements };
}

/** Equal statements share a name, whichever plan they belong to. */
export function statementName(text: string): string {
  return `p${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
}

/** The fields of one source with the values of one request. */
export interface BoundWrites {
  /** What is asked before the first statement. */
  readonly validations: readonly Validation[];
  readonly fields: readonly BoundField[];
  /** For triggers. */
  readonly session: BindInput["session"];
}

interface BoundField {
  readonly plan: WritePlan;
  readonly steps: readonly BoundStep[];
}

interface BoundStep {
  readonly step: WriteStep;
  readonly statement: PreparedStatement;
  /** What earlier steps give is filled in when they have run. */
  readonly values: (results: readonly TextRow[]) => readonly SqlValue[];
}

/**
 * Binds the values of all fields, so that a bad one runs nothing.
 * @throws EngineError
 */
export function bindWrites(fields: readonly PreparedWrite[], input: BindInput): BoundWrites {
  return {
    validations: fields.flatMap(({ plan }) =>
      plan.validations.map(({ webhook, input: read }) => ({ webhook, input: read(input.variables) })),
    ),
    fields: fields.map(({ plan, statements }) => ({ plan, steps: bindSteps(plan, statements, input) })),
    session: input.session,
  };
}

function bindSteps(
  { steps }: WritePlan,
  statements: readonly PreparedStatement[],
  input: BindInput,
): readonly BoundStep[] {
  return steps.map((step, i): BoundStep => {
    const statement = statements[i];
    invariant(statement, "every step has its statement");
    if (!step.slots.some(needsResults)) {
      const bound = bind(step.slots, input);
      return { step, statement, values: () => bound };
    }
    const known = step.slots.map((slot) => (needsResults(slot) ? null : (bind([slot], input)[0] ?? null)));
    const values = (results: readonly TextRow[]) =>
      step.slots.map((slot, at) =>
        needsResults(slot) ? (bind([slot], { ...input, results })[0] ?? null) : (known[at] ?? null),
      );
    return { step, statement, values };
  });
}

const needsResults = ({ kind }: WriteStep["slots"][number]): boolean => kind === "result" || kind === "copied";

/**
 * Runs the fields in their order, all or nothing.
 * @param deadline what is not written by then is rolled back
 * @returns the JSON text of each field's answer
 * @throws EngineError at the path of the step that failed
 */
export async function runWrites(
  { fields, session }: BoundWrites,
  source: DatabaseSource,
  errors: ErrorTable,
  deadline?: Deadline,
): Promise<readonly string[]> {
  const rows = await runSteps(fields, source, session, { errors, deadline });
  return fields.map(({ plan }, i) => answerText(plan.answer, rows[i] ?? []));
}

/** The rows that the steps of each field gave. */
async function runSteps(
  fields: readonly BoundField[],
  source: DatabaseSource,
  session: BindInput["session"],
  { errors, deadline }: { readonly errors: ErrorTable; readonly deadline: Deadline | undefined },
): Promise<readonly (readonly TextRow[])[]> {
  const limits = { errors, ...(deadline && { timeoutMilliseconds: deadline.timeoutMilliseconds() }) };
  const steps = fields.flatMap((field) => field.steps);
  const [only] = steps;
  if (only === undefined) return fields.map(() => []);
  let last = only.step;
  try {
    if (steps.length === 1) {
      const options = only.step.setsUser ? limits : { ...limits, user: sessionText(session) };
      const row = firstRow(await source.executeAlone(options, only.statement, only.values([])));
      return fields.map((field) => (field.steps.length === 0 ? [] : [row]));
    }
    return await source.transaction({ ...limits, user: sessionText(session) }, async (transaction) => {
      const answers: (readonly TextRow[])[] = [];
      for (const field of fields) {
        const results: TextRow[] = [];
        for (const { step, statement, values } of field.steps) {
          last = step;
          const row = firstRow(await transaction.query(statement, values(results)));
          checkRows(step, row);
          deadline?.check();
          results.push(row);
        }
        answers.push(results);
      }
      return answers;
    });
  } catch (thrown) {
    const error = deadline ? deadline.explain(thrown) : thrown;
    throw error instanceof EngineError && error.path === "$" ? error.at(last.path) : error;
  }
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
