/**
 * What can be wrong with a template: the error objects of `automation.md` D.3, and the results of everything here that
 * can fail. Inside this folder a failure is thrown as `TemplateFailure`; its entry points turn it into a result.
 */
/** Lines count from 0, columns from 1; the end is exclusive. */
interface SourcePosition {
  readonly start_line: number;
  readonly start_column: number;
  readonly end_line: number;
  readonly end_column: number;
}

export type TemplateErrorCode =
  | "Parse Error"
  | "Lexer Error"
  | "Attribute Error"
  | "Name Error"
  | "Type Error"
  | "Index Error"
  | "Range Error"
  | "Function Error"
  /** More steps, output or time than `budget.ts` allows. */
  | "Limit Error"
  | "TransformationError";

/** One element of `internal`. An error about a result, not about a place in a template, has no position. */
export interface TemplateError {
  readonly error_code: TemplateErrorCode;
  readonly message: string;
  readonly source_position?: SourcePosition;
}

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly TemplateError[] };

/** Offsets into the text of a template, in UTF-16 units; the end is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Ends the work on one template; never leaves this folder. */
export class TemplateFailure extends Error {
  readonly code: TemplateErrorCode;
  readonly span: Span | undefined;

  constructor(code: TemplateErrorCode, message: string, span?: Span) {
    super(message);
    this.name = "TemplateFailure";
    this.code = code;
    this.span = span;
  }
}

/** Runs what may throw a `TemplateFailure` about the template with this text. */
export function attempt<T>(source: string, work: () => T): Outcome<T> {
  try {
    return { ok: true, value: work() };
  } catch (thrown) {
    return failed(source, thrown);
  }
}

/**
 * Returns what a `TemplateFailure` says about the template with this text; throws everything else.
 * @param place of failures that have none
 */
export function failed(source: string, thrown: unknown, place?: Span): Outcome<never> {
  if (!(thrown instanceof TemplateFailure)) throw thrown;
  const { code: error_code, message, span = place } = thrown;
  return {
    ok: false,
    errors: [{ error_code, message, ...(span && { source_position: positionOf(source, span) }) }],
  };
}

/** All values, or the errors of all that failed. */
export function collect<T>(outcomes: Iterable<Outcome<T>>): Outcome<readonly T[]> {
  const values: T[] = [];
  const errors: TemplateError[] = [];
  for (const outcome of outcomes) {
    if (outcome.ok) values.push(outcome.value);
    else errors.push(...outcome.errors);
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value: values };
}

/** An outcome whose value is still to be converted. */
export function mapOutcome<T, R>(outcome: Outcome<T>, convert: (value: T) => R): Outcome<R> {
  return outcome.ok ? { ok: true, value: convert(outcome.value) } : outcome;
}

function positionOf(source: string, { start, end }: Span): SourcePosition {
  const [start_line, start_column] = place(source, start);
  const [end_line, end_column] = place(source, end);
  return { start_line, start_column, end_line, end_column };
}

function place(source: string, offset: number): readonly [line: number, column: number] {
  const lines = source.slice(0, offset).split("\n");
  return [lines.length - 1, [...(lines.at(-1) ?? "")].length + 1];
}
