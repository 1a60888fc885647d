/**
 * Errors of templates, and the results of functions in this folder. Internally a failure is thrown as
 * `TemplateFailure`; the entry points convert it to a result.
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
  /** Exceeds the limits for steps, output or time in `budget.ts`. */
  | "Limit Error"
  | "TransformationError";

/** An element of `internal`. Errors about a result have no position. */
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

/** Aborts the work on a template; never leaves this folder. */
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

/** Runs a function that may throw a `TemplateFailure` for this template. */
export function attempt<T>(source: string, work: () => T): Outcome<T> {
  try {
    return { ok: true, value: work() };
  } catch (thrown) {
    return failed(source, thrown);
  }
}

/**
 * Returns the errors of a `TemplateFailure`; rethrows other errors.
 * @param place default position
 */
export function failed(source: string, thrown: unknown, place?: Span): Outcome<never> {
  if (!(thrown instanceof TemplateFailure)) throw thrown;
  const { code: error_code, message, span = place } = thrown;
  return {
    ok: false,
    errors: [{ error_code, message, ...(span && { source_position: positionOf(source, span) }) }],
  };
}

/** Returns all values, or the errors of all failed outcomes. */
export function collect<T>(outcomes: Iterable<Outcome<T>>): Outcome<readonly T[]> {
  const values: T[] = [];
  const errors: TemplateError[] = [];
  for (const outcome of outcomes) {
    if (outcome.ok) values.push(outcome.value);
    else errors.push(...outcome.errors);
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value: values };
}

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
