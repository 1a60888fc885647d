/** Rules of tracked functions: the supported functions and their arguments. */
import type { QualifiedName, TrackedFunction } from "../../catalog/model.ts";
import { object, oneOf } from "../../catalog/schema/combinators.ts";
import { tableName } from "../../catalog/schema/names.ts";
import { isGraphqlName } from "../../catalog/schema/scalars.ts";
import type { FunctionShape } from "../../shape/shape.ts";
import { type AnalyzedFunction, qualifiedKey } from "../analysis.ts";
import { automaticField, type BaseName, baseName, clashes, functionRootFields, typeName } from "../naming.ts";
import { becauseOf, reject, rejectDangling, rejectUnknown } from "../rejection.ts";
import type { SourceContext } from "../source-context.ts";
import type { NamedTables } from "../tables.ts";

/** @throws Rejection if there is no function of this name, or several */
export function onlyFunction(context: SourceContext, name: QualifiedName): FunctionShape {
  const printed = context.print(name);
  const [shape, ...overloads] = context.functions.get(qualifiedKey(name)) ?? [];
  if (shape === undefined) {
    const candidates = [...context.functions.values()].flat().map((each) => context.print(each));
    return rejectUnknown(`no such function exists: "${printed}"`, printed, candidates);
  }
  if (overloads.length > 0) reject(`function "${printed}" is overloaded. Overloaded functions are not supported`);
  return shape;
}

/** @throws Rejection with all reasons why the function cannot be tracked */
export function resolveFunction(
  context: SourceContext,
  tables: NamedTables<unknown>,
  tracked: TrackedFunction,
): AnalyzedFunction {
  const { naming } = context;
  const printed = context.print(tracked.function);
  const shape = onlyFunction(context, tracked.function);
  const base = baseName(naming, tracked.function, tracked.configuration?.custom_name);
  const { table: returnsTable, problems: ofRows } = rowsOfFunction(
    context,
    shape,
    responseTable(context, tracked),
    "response",
  );
  const problems = [...problemsOf(context, tracked, shape, base), ...ofRows];
  if (problems.length > 0 || base === null || returnsTable === null) {
    return reject(becauseOf(`the function "${printed}" cannot be tracked`, problems));
  }
  const target = qualifiedKey(returnsTable);
  if (!tables.has(target)) {
    rejectDangling(`table "${context.print(returnsTable)}" is not tracked`, context.tableId(returnsTable));
  }
  const sessionName = tracked.configuration?.session_argument ?? undefined;
  const sessionArgument = shape.arguments.findIndex(({ name }) => name === sessionName);
  return {
    key: qualifiedKey(tracked.function),
    function: tracked,
    shape,
    target,
    exposedAs: exposure(tracked, shape),
    graphqlName: typeName(naming, base),
    rootFields: functionRootFields(naming, base, tracked),
    sessionArgument: sessionArgument < 0 ? undefined : sessionArgument,
  };
}

function exposure({ configuration }: TrackedFunction, { volatility }: FunctionShape): AnalyzedFunction["exposedAs"] {
  return configuration?.exposed_as ?? (volatility === "volatile" ? "mutation" : "query");
}

const response = (defaultSchema: string) =>
  object({ required: { type: oneOf(["table"]), table: tableName(defaultSchema) } });

/** Returns the table named in the configuration, on databases without row types; ignored on others. */
function responseTable({ dialect }: SourceContext, { configuration }: TrackedFunction): QualifiedName | undefined {
  if (configuration?.response === undefined || dialect.functions.rowTypes) return undefined;
  const read = response(dialect.defaultSchema).safeParse(configuration.response);
  return read.success ? read.data.table : reject('"response" must be {"type": "table", "table": …}');
}

function* problemsOf(
  context: SourceContext,
  tracked: TrackedFunction,
  shape: FunctionShape,
  base: BaseName | null,
): Generator<string> {
  if (base === null || !isGraphqlName(base.text)) yield "function name is not a legal GraphQL identifier";
  yield* shapeProblems(shape);
  if (shape.readsDistributed === "sql") yield inlinedReads;
  if (exposure(tracked, shape) === "mutation" && shape.volatility !== "volatile") {
    yield "the function was requested to be exposed as a mutation, but is not marked VOLATILE. Maybe the function was given the wrong volatility when it was defined?";
  }
  yield* sessionProblems(context, tracked, shape);
  const bad = shape.arguments.flatMap(({ name }) => (name !== null && !isGraphqlName(name) ? [name] : []));
  if (bad.length > 0) yield `the function arguments ${bad.join(",")} are not in compliance with GraphQL spec`;
  const session = tracked.configuration?.session_argument;
  yield* sharedArgumentNames(context, shape, ({ name }) => name !== null && name === session);
}

/**
 * Reports arguments that share a name in requests: the naming convention maps their names to the same name, or a name
 * equals the generated name of an unnamed argument.
 * @param isFilled returns true for an argument that requests do not set
 */
export function sharedArgumentNames(
  { naming: { convention } }: SourceContext,
  { arguments: all }: FunctionShape,
  isFilled: (argument: FunctionShape["arguments"][number], position: number) => boolean,
): Iterable<string> {
  let unnamed = 0;
  const given = all.filter((argument, position) => !isFilled(argument, position));
  const names = given.map(({ name }) => (name !== null && isGraphqlName(name) ? name : `arg_${++unnamed}`));
  return clashes(
    names,
    (name) => automaticField(convention, name),
    (texts, name) => `the arguments ${texts} map to the same name "${name}" in requests`,
  );
}

/** Citus plans such a function with wrong results (no rows) or refuses it, depending on the statement around it. */
export const inlinedReads =
  'it is written in SQL and reads distributed tables, which Citus does not support in functions: write it in PL/pgSQL ("LANGUAGE plpgsql", "RETURN QUERY SELECT …")';

/** Yields the reasons why a function cannot be tracked, independent of the metadata. */
export function* shapeProblems(shape: FunctionShape): Generator<string> {
  const { variadic, returns, returnsTable, columns } = shape;
  if (variadic) yield 'function with "VARIADIC" parameters are not supported';
  if (returns.category !== "composite") yield 'the function does not return a "COMPOSITE" type';
  if (returnsTable === null && columns === undefined) yield "the function does not return a table";
  yield* tableArguments(shape);
}

/** Reports table-valued arguments, which requests cannot set. */
export function* tableArguments(shape: FunctionShape): Generator<string> {
  for (const { name, type } of shape.arguments) {
    if (type.category === "pseudo" && type.schema === "sys") yield `argument "${name}" takes a table`;
  }
}

function* sessionProblems(
  context: SourceContext,
  { configuration }: TrackedFunction,
  shape: FunctionShape,
): Generator<string> {
  const name = configuration?.session_argument ?? undefined;
  const { functions } = context.dialect;
  if (name === undefined) return;
  const argument = shape.arguments.find((each) => each.name === name);
  if (argument === undefined) {
    yield `given session argument "${name}" not the input argument of the function`;
  } else if (!functions.takesSession(argument.type)) {
    yield `given session argument "${name}" is not of type ${functions.sessionType}`;
  }
}

// The table whose rows a function returns, from its return type or from the metadata.

interface FunctionRows {
  /** `null` if the function returns no rows of a table. */
  readonly table: QualifiedName | null;
  readonly problems: readonly string[];
}

/**
 * Returns the table, with the problems of the declaration.
 * @param named the table named in the metadata
 * @param key key of the metadata with that name, for messages
 */
export function rowsOfFunction(
  context: SourceContext,
  shape: FunctionShape,
  named: QualifiedName | undefined,
  key: string,
): FunctionRows {
  const { dialect } = context;
  if (dialect.functions.rowTypes) {
    const problems = named
      ? [
          `"${key}" is only for databases without row types: the return type of a ${dialect.kind} function determines the table`,
        ]
      : [];
    return { table: shape.returnsTable, problems };
  }
  if (named === undefined || shape.columns === undefined) {
    const problem = shape.columns ? `"${key}" must name the tracked table whose rows it returns` : undefined;
    const superfluous = named ? `it returns a scalar, but "${key}" names a table` : undefined;
    return { table: null, problems: [problem, superfluous].filter((text) => text !== undefined) };
  }
  const table = context.tables.get(qualifiedKey(named));
  return { table: named, problems: table ? mismatches(shape.columns, table.columns, context.print(named)) : [] };
}

type Columns = NonNullable<FunctionShape["columns"]>;

/**
 * Compares the columns of the function with the columns of the table. The function may return additional columns, and
 * in any order.
 */
function mismatches(given: Columns, wanted: Columns, table: string): readonly string[] {
  return wanted.flatMap(({ name, type }) => {
    const found = given.find((column) => column.name === name);
    if (found === undefined) return [`its rows have no column "${name}", which table "${table}" has`];
    if (found.type.name === type.name) return [];
    return [`column "${name}" of its rows is of type ${found.type.name}, and that of table "${table}" is ${type.name}`];
  });
}
