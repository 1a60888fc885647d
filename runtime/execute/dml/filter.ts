/**
 * Converts conditions of data operations to planner inputs. Operators have two spellings (`_eq`, `$eq`), a value
 * instead of operators means equality, and equality with null means `_is_null`.
 */

import type { TableView } from "../../model/definitions/view.ts";
import type { Input, InputMember } from "../../model/planner/request/input.ts";
import { comparisonType } from "../../model/schema/comparison-types.ts";
import { filterType } from "../../model/schema/filter-types.ts";
import type { InputField, InputMeta, InputObjectTypeDef } from "../../model/schema/types.ts";
import { encounteredJson } from "../../values/describe-json.ts";
import { EngineError, pathTo } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { columnNamed, type DataContext, missingColumnMessage } from "./tables.ts";

export function filterInput(context: DataContext, view: TableView, expression: unknown, path: string): Input {
  const type = filterType(context.schema.types, view);
  const members = Object.entries(asObject(expression, path)).map(([key, value]): InputMember => {
    const at = pathTo(path, key);
    const logical = logicalNames.get(key);
    if (logical !== undefined) return logicalMember(context, view, type, logical, value, at);
    const relationship = Object.hasOwn(view.relationships, key) ? view.relationships[key] : undefined;
    if (relationship) {
      return { name: key, meta: metaOf(type, key), value: filterInput(context, relationship.target(), value, at) };
    }
    const column = columnNamed(view, view.columns, key);
    if (!column) throw new EngineError("permission-denied", at, missingColumnMessage(context.role, "select", key));
    const comparison = comparisonType(context.schema.types, view.table.source, column.type);
    return {
      name: column.field,
      meta: metaOf(type, column.field),
      value: comparisonInput(comparison, column.type.cast, value, at),
    };
  });
  return { kind: "object", members, path };
}

const logicalNames = new Map(
  ["and", "or", "not"].flatMap((name) => [
    [`_${name}`, `_${name}`],
    [`$${name}`, `_${name}`],
  ]),
);

function logicalMember(
  context: DataContext,
  view: TableView,
  type: InputObjectTypeDef,
  name: string,
  value: unknown,
  path: string,
): InputMember {
  const meta = metaOf(type, name);
  if (name === "_not") return { name, meta, value: filterInput(context, view, value, path) };
  const items = asList(value, path).map((item, i) => filterInput(context, view, item, pathTo(path, i)));
  return { name, meta, value: { kind: "list", items, path } };
}

/**
 * Converts the condition of one column.
 * @param columnType type of the column, for messages
 */
function comparisonInput(type: InputObjectTypeDef, columnType: string, value: unknown, path: string): Input {
  const members = isObject(value)
    ? Object.entries(value).map(([name, operand]) =>
        operatorMember(type, columnType, name, operand, pathTo(path, name)),
      )
    : [operatorMember(type, columnType, "_eq", value, path)];
  return { kind: "object", members, path };
}

function operatorMember(
  type: InputObjectTypeDef,
  columnType: string,
  spelling: string,
  operand: unknown,
  path: string,
): InputMember {
  const name = operatorName(spelling);
  if (operand === null && (name === "_eq" || name === "_neq")) {
    return operatorMember(type, columnType, "_is_null", name === "_eq", path);
  }
  const field = operatorField(type, name);
  if (field?.meta.kind !== "operator") throw unknownOperator(spelling, columnType, operand, path);
  const { meta } = field;
  switch (meta.operator.kind) {
    case "compare":
    case "flag":
      return { name, meta, value: scalarInput(operand, path) };
    case "structured":
      return { name, meta, value: structuredInput(field, operand, path) };
    case "cast":
      return { name, meta, value: castInput(field, columnType, operand, path) };
  }
}

/** Finds an operator by its canonical name, which does not depend on the naming convention of GraphQL. */
function operatorField(type: InputObjectTypeDef, name: string): InputField | undefined {
  return [...type.fields().values()].find(({ meta }) => meta.kind === "operator" && meta.operator.name === name);
}

function unknownOperator(spelling: string, columnType: string, operand: unknown, path: string): EngineError {
  if (operatorName(spelling) === "_cast" && isObject(operand)) {
    return wrongCast(columnType, Object.keys(operand)[0] ?? "", path);
  }
  return new EngineError("unexpected-payload", path, `Unknown operator: ${spelling}`);
}

function wrongCast(columnType: string, target: string, path: string): EngineError {
  const from = columnType.replace(/^.*\./, "");
  return new EngineError("unexpected-payload", path, `cannot cast column of type "${from}" to type "${target}"`);
}

/** Normalizes the spelling: `$eq` to `_eq`, `_ne` to `_neq`. */
function operatorName(spelling: string): string {
  const name = spelling.startsWith("$") ? `_${spelling.slice(1)}` : spelling;
  return name === "_ne" ? "_neq" : name;
}

export function scalarInput(value: unknown, path: string): Input {
  return { kind: "value", source: { kind: "constant", value }, path };
}

function structuredInput(field: InputField, value: unknown, path: string): Input {
  const type = inputObject(field);
  const fields = [...type.fields().values()];
  const members = Object.entries(asObject(value, path)).map(([name, operand]): InputMember => {
    const meta = fields.find(({ meta }) => meta.kind === "operand" && meta.name === name)?.meta;
    if (!meta) throw new EngineError("parse-failed", pathTo(path, name), `unexpected key "${name}"`);
    return { name, meta, value: scalarInput(operand, pathTo(path, name)) };
  });
  return { kind: "object", members, path };
}

function castInput(field: InputField, columnType: string, value: unknown, path: string): Input {
  const type = inputObject(field);
  const members = Object.entries(asObject(value, path)).map(([target, operand]): InputMember => {
    const inner = type.fields().get(target === "text" ? "String" : target);
    if (!inner) throw wrongCast(columnType, target, path);
    return {
      name: target,
      meta: inner.meta,
      value: comparisonInput(inputObject(inner), target, operand, pathTo(path, target)),
    };
  });
  return { kind: "object", members, path };
}

function inputObject(field: InputField): InputObjectTypeDef {
  const type = field.type();
  if (type.kind !== "input") throw new Error(`invariant: ${type.name} is no input object`);
  return type;
}

/** Returns the meaning of a key, which is the same as in GraphQL. */
function metaOf(type: InputObjectTypeDef, name: string): InputMeta {
  const field = type.fields().get(name);
  if (!field) throw new Error(`invariant: ${type.name} has no field ${name}`);
  return field.meta;
}

function asObject(value: unknown, path: string): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : parsingFailed("Object", "Object", value, path);
}

function asList(value: unknown, path: string): readonly unknown[] {
  return Array.isArray(value) ? value : parsingFailed("[]", "Array", value, path);
}

function parsingFailed(type: string, expected: string, value: unknown, path: string): never {
  const message = `parsing ${type} failed, expected ${expected}, but encountered ${encounteredJson(value)}`;
  throw new EngineError("parse-failed", path, message);
}
