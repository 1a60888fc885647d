/** Tracked functions: which can be root fields, and how they are called (`metadata-api.md` 2.7). */

import type { QualifiedName, TrackedFunction } from "../../catalog/model.ts";
import { isGraphqlName } from "../../catalog/schema/scalars.ts";
import type { FunctionShape } from "../../shape/shape.ts";
import { type AnalyzedFunction, qualifiedKey } from "../analysis.ts";
import { type BaseName, baseName, functionRootFields, typeName } from "../naming.ts";
import { becauseOf, reject, rejectDangling, rejectUnknown } from "../rejection.ts";
import type { SourceContext } from "../source-context.ts";

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
  tables: ReadonlyMap<string, unknown>,
  tracked: TrackedFunction,
): AnalyzedFunction {
  const { naming } = context;
  const printed = context.print(tracked.function);
  const shape = onlyFunction(context, tracked.function);
  const base = baseName(naming, tracked.function, tracked.configuration?.custom_name);
  const problems = [...problemsOf(context, tracked, shape, base)];
  const { returnsTable } = shape;
  if (problems.length > 0 || base === null || returnsTable === null) {
    return reject(becauseOf(`the function "${printed}" cannot be tracked`, problems));
  }
  const target = qualifiedKey(returnsTable);
  if (!tables.has(target)) rejectDangling(`table "${context.print(returnsTable)}" is not tracked`);
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
}

/** What keeps a function from being tracked, whatever the metadata says. */
export function* shapeProblems({ variadic, returns, returnsTable }: FunctionShape): Generator<string> {
  if (variadic) yield 'function with "VARIADIC" parameters are not supported';
  if (returns.category !== "composite") yield 'the function does not return a "COMPOSITE" type';
  if (returnsTable === null) yield "the function does not return a table";
}

function* sessionProblems(
  context: SourceContext,
  { configuration }: TrackedFunction,
  shape: FunctionShape,
): Generator<string> {
  const name = configuration?.session_argument ?? undefined;
  if (name === undefined) return;
  const argument = shape.arguments.find((each) => each.name === name);
  if (argument === undefined) {
    yield `given session argument "${name}" not the input argument of the function`;
  } else if (!context.comparedType(argument.type).scalar.json) {
    yield `given session argument "${name}" is not of type json`;
  }
}
