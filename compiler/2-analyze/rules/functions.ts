/** Tracked functions: which can be root fields, and how they are called (`metadata-api.md` 2.7). */

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
import { rowsOfFunction } from "./function-rows.ts";

/** @throws Rejection when the database has no function of this name, or several */
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

/** @throws Rejection with everything that keeps the function from being tracked */
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

/** The table that the configuration names, where the database does not tell; elsewhere nothing looks at it. */
function responseTable({ dialect }: SourceContext, { configuration }: TrackedFunction): QualifiedName | undefined {
  if (configuration?.response === undefined || dialect.functions.rowTypes) return undefined;
  const read = response(dialect.defaultSchema).safeParse(configuration.response);
  return read.success ? read.data.table : reject('"response" has to be {"type": "table", "table": …}');
}

function* problemsOf(
  context: SourceContext,
  tracked: TrackedFunction,
  shape: FunctionShape,
  base: BaseName | null,
): Generator<string> {
  if (base === null || !isGraphqlName(base.text)) yield "function name is not a legal GraphQL identifier";
  yield* shapeProblems(shape);
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
 * Arguments that requests could not tell apart, because the naming convention gives them one name, or because one has
 * the name that counts an argument without a name.
 * @param isFilled an argument that no request gives
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
    (texts, name) => `the arguments ${texts} are both called "${name}" in requests`,
  );
}

/** What keeps a function from being tracked, whatever the metadata says. */
export function* shapeProblems(shape: FunctionShape): Generator<string> {
  const { variadic, returns, returnsTable, columns } = shape;
  if (variadic) yield 'function with "VARIADIC" parameters are not supported';
  if (returns.category !== "composite") yield 'the function does not return a "COMPOSITE" type';
  if (returnsTable === null && columns === undefined) yield "the function does not return a table";
  yield* tableArguments(shape);
}

/** Nothing that a request gives is a table. */
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
