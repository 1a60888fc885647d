/**
 * Database functions in generated modules: tracked functions, and functions of a row, which are computed fields of its
 * table.
 */
import type { RowFilter } from "./row-filter.ts";
import type { ScalarType } from "./scalar-type.ts";
import type { SourceDefinition } from "./table.ts";

export interface FunctionArgument {
  /** Name in requests; absent: a generated name, `arg_1`. */
  readonly field?: string;
  /** Quoted name; absent: the argument can only be passed by position. */
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
  /** Name in descriptions, qualified unless it is in the default schema. */
  readonly displayName: string;
  /** By position. */
  readonly arguments: readonly FunctionArgument[];
  /** Returns a set of rows, instead of one row or one value. */
  readonly returnsSet: boolean;
}

export function defineFunction(definition: FunctionDefinition): FunctionDefinition {
  return definition;
}

/** Arguments that the engine sets, by position. Requests set all others. */
export interface FunctionCall {
  readonly function: FunctionDefinition;
  /** Position of the argument that receives the row of the table. */
  readonly row?: number;
  /** Type of the row, and all of its quoted columns, in distributed databases, whose shards have row types of their own. */
  readonly rowType?: { readonly type: string; readonly columns: readonly string[] };
  /** Quoted columns of the row by argument position, for databases without row types. */
  readonly columns?: Readonly<Record<number, string>>;
  /** Position of the argument that receives the session variables as a JSON object. */
  readonly session?: number;
}

/** A function exposed as root fields. */
export interface TrackedFunction extends FunctionCall {
  /** GraphQL base name: prefix of the argument type's name. */
  readonly type: string;
}

export function trackFunction(
  definition: FunctionDefinition,
  options: { readonly type: string; readonly session?: number },
): TrackedFunction {
  return { function: definition, ...options };
}

interface ComputedOptions extends Pick<FunctionCall, "row" | "rowType" | "columns" | "session"> {
  /** Replaces the generated description; `""` removes it. */
  readonly description?: string;
}

/** Returns the description of a computed field that has none in the metadata and the database. */
export const automaticFieldDescription = (displayName: string): string =>
  `A computed field, executes function "${displayName}"`;

function described({ description, ...options }: ComputedOptions, { displayName }: FunctionDefinition): ComputedOptions {
  const text = description ?? automaticFieldDescription(displayName);
  return { ...options, ...(text === "" ? {} : { description: text }) };
}

/** A function of a row that returns a value. */
export interface ComputedValue extends FunctionCall, ComputedOptions {
  readonly kind: "value";
  readonly type: ScalarType;
  /** Rows in which the role may read the value; in other rows it is NULL. Absent: all visible rows. */
  readonly visible?: RowFilter;
}

export function computedValue(
  definition: FunctionDefinition,
  type: ScalarType,
  options: ComputedOptions,
): ComputedValue {
  return { kind: "value", function: definition, type, ...described(options, definition) };
}

/** Restricts a computed value of an inherited role to some rows, like `visibleWhere` for columns. */
export function computedWhere(computed: ComputedValue, rows: RowFilter): ComputedValue {
  return { ...computed, visible: rows };
}

/** A function of a row that returns rows of a table. */
export interface ComputedRows extends FunctionCall, ComputedOptions {}

export function computedRows(definition: FunctionDefinition, options: ComputedOptions): ComputedRows {
  return { function: definition, ...described(options, definition) };
}

/** Returns the arguments that requests set, in order, with their names in requests. */
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
