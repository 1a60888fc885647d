/**
 * Functions of a database as requests call them: tracked functions, and functions of a row, which are the computed
 * fields of its table (`graphql-api.md` 5.6, 5.8). Declared in generated modules.
 */
import type { RowFilter } from "./row-filter.ts";
import type { ScalarType } from "./scalar-type.ts";
import type { SourceDefinition } from "./table.ts";

export interface FunctionArgument {
  /** Name in requests; absent: they count it, `arg_1`. */
  readonly field?: string;
  /** Quoted name; absent: it can be given by position only. */
  readonly sql?: string;
  readonly type: ScalarType;
  readonly hasDefault: boolean;
}

export function argument(
  type: ScalarType,
  options: { readonly field?: string; readonly sql?: string; readonly hasDefault?: boolean } = {},
): FunctionArgument {
  return { type, hasDefault: false, ...options };
}

export interface FunctionDefinition {
  readonly source: SourceDefinition;
  /** Quoted name with its schema. */
  readonly sql: string;
  /** Name in descriptions: with its schema unless that is the default one. */
  readonly displayName: string;
  /** What it takes, in order. */
  readonly arguments: readonly FunctionArgument[];
  /** It gives any number of rows; else one row, or one value. */
  readonly returnsSet: boolean;
}

export function defineFunction(definition: FunctionDefinition): FunctionDefinition {
  return definition;
}

/** What the engine itself gives to a function, by position; all other arguments are the request's. */
export interface FunctionCall {
  readonly function: FunctionDefinition;
  /** Position of the argument that gets the row of the table. */
  readonly row?: number;
  /** Quoted columns of the row, by the positions of the arguments that get them; for databases without row types. */
  readonly columns?: Readonly<Record<number, string>>;
  /** Position of the argument that gets the session variables, as one JSON object. */
  readonly session?: number;
}

/** A function that root fields call. */
export interface TrackedFunction extends FunctionCall {
  /** GraphQL base name: the stem of the name of its arguments' type. */
  readonly type: string;
}

export function trackFunction(
  definition: FunctionDefinition,
  options: { readonly type: string; readonly session?: number },
): TrackedFunction {
  return { function: definition, ...options };
}

interface ComputedOptions extends Pick<FunctionCall, "row" | "columns" | "session"> {
  /** Stands in place of the automatic one; `""`: none. */
  readonly description?: string;
}

/** Describes a computed field of which neither the metadata nor the database says anything. */
export const automaticFieldDescription = (displayName: string): string =>
  `A computed field, executes function "${displayName}"`;

function described({ description, ...options }: ComputedOptions, { displayName }: FunctionDefinition): ComputedOptions {
  const text = description ?? automaticFieldDescription(displayName);
  return { ...options, ...(text === "" ? {} : { description: text }) };
}

/** A function of a row that gives a value. */
export interface ComputedValue extends FunctionCall, ComputedOptions {
  readonly kind: "value";
  readonly type: ScalarType;
  /** The rows where the role may read it; absent: all that it sees. Elsewhere it is NULL. */
  readonly visible?: RowFilter;
}

export function computedValue(
  definition: FunctionDefinition,
  type: ScalarType,
  options: ComputedOptions,
): ComputedValue {
  return { kind: "value", function: definition, type, ...described(options, definition) };
}

/** A computed value of which an inherited role sees only some rows, like `visibleWhere` of columns. */
export function computedWhere(computed: ComputedValue, rows: RowFilter): ComputedValue {
  return { ...computed, visible: rows };
}

/** A function of a row that gives rows of a table. */
export interface ComputedRows extends FunctionCall, ComputedOptions {}

export function computedRows(definition: FunctionDefinition, options: ComputedOptions): ComputedRows {
  return { function: definition, ...described(options, definition) };
}

/** The arguments that a request gives, in order, with the names that it gives them by. */
export function requestArguments(
  call: FunctionCall,
): readonly { readonly position: number; readonly field: string; readonly argument: FunctionArgument }[] {
  const { source, arguments: args } = call.function;
  let unnamed = 0;
  return args.flatMap((argument, position) => {
    if (position === call.row || position === call.session || call.columns?.[position] !== undefined) return [];
    const field = argument.field ?? source.naming.field(`arg_${++unnamed}`);
    return [{ position, field, argument }];
  });
}
