/**
 * Validates the arguments of a GraphQL request: objects, lists and enum values are resolved to their meaning, scalars
 * to value sources. Only the structure is evaluated here; scalar values are encoded when a request is bound.
 * Decides the meaning of null.
 */
import { Kind, type ValueNode } from "graphql";
import { kindOfValue } from "../../../values/describe-json.ts";
import { EngineError, pathTo } from "../../../values/errors.ts";
import { JsonNumber } from "../../../values/json-number.ts";
import { notEnumValue } from "../../definitions/enum.ts";
import { sourceValue, type ValueSource } from "../../definitions/parameters.ts";
import { typeNodeText } from "../../definitions/saved/variable.ts";
import {
  type InputField,
  type InputObjectTypeDef,
  type InputTypeDef,
  listsOf,
  type ScalarTypeDef,
} from "../../schema/types.ts";
import { budgetOf, checkDepth } from "./budget.ts";
import type { Operation } from "./document.ts";
import type { Input, InputMember, InputRun, ObjectInput } from "./input.ts";
import { expectedOf, kindOfLiteral } from "./literal-names.ts";
import { isRow, joinRows, rowIn, rowOf, rowsIn, rowsInput, runIn, type VariableSource } from "./row-inputs.ts";
import { rowRuns } from "./rows.ts";
import { numberValue } from "./text-literals.ts";
import { unboundVariable } from "./undeclared-name.ts";
import { unknownField } from "./unknown-field.ts";
import { addUse, bare, checkVariableType, rawUse, type VariableUse } from "./variable-uses.ts";

/** Form of an expected value. "list with nulls" ignores null items. */
type Form = "one" | "list" | "list with nulls";

const formOf = ({ list, nullableItems }: InputField): Form =>
  list ? (nullableItems ? "list with nulls" : "list") : "one";

export interface InputOptions {
  /** A null operand counts as "operator absent" (`ENGINE_GRAPHQL_V1_BOOLEAN_NULL_COLLAPSE`). */
  readonly nullCollapse: boolean;
}

const invalid = (path: string, message: string): EngineError => new EngineError("validation-failed", path, message);

/** Weight of a run of rows with equal keys: it needs its own statement, which takes long to plan. */
const partsOfStatement = 10;

/** Reads the inputs of one request and records how each variable is used. */
export class InputReader {
  /** Variables used so far, with the types expected at their locations. */
  readonly uses = new Map<string, VariableUse[]>();
  readonly #operation: Operation;
  readonly #variables: Readonly<Record<string, unknown>>;
  readonly #options: InputOptions;
  /** Nesting level of the input object being read. */
  #level = 0;
  /** Number of objects and enum values other than inserted rows: conditions, orderings, columns. */
  #parts = 0;
  readonly #maxParts: number;

  constructor(operation: Operation, variables: Readonly<Record<string, unknown>>, options: InputOptions, role: string) {
    this.#operation = operation;
    this.#variables = variables;
    this.#options = options;
    this.#maxParts = budgetOf(role).parts;
  }

  /** Records a variable whose value is passed on unchanged. */
  use(name: string): void {
    addUse(this.uses, name, rawUse);
  }

  /** Returns the value of an argument or input field, or `undefined` if it counts as absent. */
  read(field: InputField, node: ValueNode, path: string): Input | undefined {
    const input = this.#place(field, node, path);
    if (input?.kind !== "null") return input;
    return this.#null(field, input, node.kind === Kind.VARIABLE ? node.name.value : undefined);
  }

  /**
   * Returns the meaning of null, or `undefined` if null means absent.
   * @param variable name of the variable, if its whole value is null
   * @throws EngineError for a field that does not accept null
   */
  #null(field: InputField, input: Extract<Input, { kind: "null" }>, variable?: string): Input | undefined {
    if (field.nullIsValue) return input;
    if (field.nullIsAbsent || (this.#options.nullCollapse && field.meta.kind === "operator")) return undefined;
    const error = nullError(field, input.path);
    throw variable === undefined ? error : error.withHint(() => `the variable '${variable}' is null or missing`);
  }

  #place(field: InputField, node: ValueNode, path: string): Input | undefined {
    if (node.kind !== Kind.VARIABLE) return this.#literal(field, node, path);
    const name = node.name.value;
    const definition = this.#operation.variables.get(name);
    if (!definition) throw unboundVariable(this.#operation, name, path);
    checkVariableType(name, definition.type, definition.defaultValue, field, path);
    const type = field.type();
    addUse(this.uses, name, { type, list: field.list });
    const value = this.#variables[name];
    if (value === undefined) {
      if (definition.defaultValue) return this.#literal(field, definition.defaultValue, path);
      return { kind: "null", path };
    }
    return this.#json(type, formOf(field), { kind: "variable", name, within: [] }, value, path);
  }

  #literal(field: InputField, node: ValueNode, path: string): Input {
    const type = field.type();
    const form = formOf(field);
    if (node.kind === Kind.NULL) return { kind: "null", path };
    if (type.kind === "scalar")
      return { kind: "value", source: this.#scalarLiteral(type, node, path, listsOf(field)), path };
    if (form !== "one") {
      const given = node.kind === Kind.LIST ? node.values : [node];
      const items = given.flatMap((item, i) => this.#item(type, form, item, pathTo(path, i)) ?? []);
      return isRow(type) ? joinRows(items, path) : { kind: "list", path, items };
    }
    if (type.kind === "enum") {
      if (node.kind !== Kind.ENUM) {
        throw invalid(path, `expected an enum value for type '${type.name}', but found ${kindOfLiteral(node)}`);
      }
      this.#countPart(path);
      return enumInput(type, node.value, path);
    }
    if (node.kind !== Kind.OBJECT) {
      throw invalid(path, `expected an object for type '${type.name}', but found ${kindOfLiteral(node)}`);
    }
    const given = new Map(node.fields.map((field) => [field.name.value, field.value]));
    const object = this.#object(type, [...given.keys()], path, (field, name) =>
      this.read(field, given.get(name) as ValueNode, pathTo(path, name)),
    );
    return isRow(type) ? rowsInput([{ row: object, rows: rowOf(object), count: 1 }], path) : object;
  }

  #item(type: InputTypeDef, form: Form, node: ValueNode, path: string): Input | undefined {
    const nullIsAbsent = form === "list with nulls";
    const field: InputField = {
      type: () => type,
      list: false,
      required: !nullIsAbsent,
      nullIsAbsent,
      meta: { kind: "argument" },
    };
    const input = this.read(field, node, path);
    if (!input && !nullIsAbsent) throw nullError(field, path);
    return input;
  }

  #object(
    type: InputObjectTypeDef,
    names: readonly string[],
    path: string,
    read: (field: InputField, name: string) => Input | undefined,
  ): ObjectInput {
    if (!isRow(type)) this.#countPart(path);
    const fields = type.fields();
    const members: InputMember[] = [];
    checkDepth(++this.#level, path);
    for (const name of names) {
      const field = fields.get(name);
      if (!field) throw unknownField(pathTo(path, name), name, type);
      const value = read(field, name);
      if (value) members.push({ name, meta: field.meta, value });
    }
    this.#level--;
    for (const [name, field] of fields) {
      if (field.required && field.defaultValue === undefined && !members.some((member) => member.name === name)) {
        throw invalid(pathTo(path, name), `missing required field '${name}'`);
      }
    }
    return { kind: "object", members, path };
  }

  #countPart(path: string, weight = 1): void {
    this.#parts += weight;
    if (this.#parts <= this.#maxParts) return;
    throw invalid(
      path,
      `the request has more than ${this.#maxParts} conditions, orderings and other parts; use '_in' for long lists of values, and give inserted rows the same columns`,
    );
  }

  /** Reads the value of a variable or of a part of one. */
  #json(type: InputTypeDef, form: Form, source: VariableSource, value: unknown, path: string): Input {
    if (value === null || value === undefined) return { kind: "null", path };
    if (type.kind === "scalar") return { kind: "value", source, path };
    const inside = (key: string | number): VariableSource => ({ ...source, within: [...source.within, key] });
    if (form !== "one") {
      // A single value is coerced to a list of one item (GraphQL specification, 3.11).
      if (isRow(type) && Array.isArray(value)) return this.#jsonRows(type, source, value, path);
      if (isRow(type)) return this.#json(type, "one", source, value, path);
      if (!Array.isArray(value)) return { kind: "list", path, items: [this.#json(type, "one", source, value, path)] };
      const items = value.flatMap((item, i) => {
        const itemPath = pathTo(path, i);
        const input = this.#json(type, "one", inside(i), item, itemPath);
        if (input.kind !== "null") return [input];
        if (form === "list with nulls") return [];
        throw invalid(itemPath, nullMessage(type, false));
      });
      return { kind: "list", path, items };
    }
    if (type.kind === "enum") {
      if (typeof value !== "string") {
        throw invalid(path, `expected an enum value for type '${type.name}', but found ${kindOfValue(value, false)}`);
      }
      this.#countPart(path);
      return enumInput(type, value, path);
    }
    if (typeof value !== "object" || Array.isArray(value) || value instanceof JsonNumber) {
      throw invalid(path, `expected an object for type '${type.name}', but found ${kindOfValue(value, false)}`);
    }
    const members = value as Readonly<Record<string, unknown>>;
    const object = this.#object(type, Object.keys(members), path, (field, name) => {
      const fieldPath = pathTo(path, name);
      const input = this.#json(field.type(), formOf(field), inside(name), members[name], fieldPath);
      return input.kind === "null" ? this.#null(field, input) : input;
    });
    return isRow(type) ? rowsInput([{ row: object, rows: rowIn(source, path), count: 1 }], path) : object;
  }

  /** Reads only the first row of each run: the other rows differ only in their values. */
  #jsonRows(type: InputObjectTypeDef, source: VariableSource, list: readonly unknown[], path: string): Input {
    const found = rowRuns(list, type);
    const runs = found.flatMap(({ start, keys, count }, i): readonly InputRun[] => {
      const itemPath = pathTo(path, start);
      this.#countPart(itemPath, partsOfStatement);
      const first = this.#json(type, "one", { ...source, within: [...source.within, start] }, list[start], itemPath);
      if (first.kind !== "rows") throw invalid(itemPath, nullMessage(type, false));
      if (!keys) return first.runs;
      const rows = found.length === 1 ? rowsIn(source, path) : runIn(source, type, i, path);
      return first.runs.map(({ row }) => ({ row, rows, count }));
    });
    return rowsInput(runs, path);
  }

  /**
   * Reads a scalar literal. Its lists and objects may contain variables.
   * @param lists nesting depth of lists at this place
   */
  #scalarLiteral(type: ScalarTypeDef, node: ValueNode, path: string, lists = 0): ValueSource {
    if (type.enumeration && !kindsInEnums.has(node.kind)) throw notEnumValue(type.name, kindOfLiteral(node), path);
    const open = this.#operation.literals?.sourceOf(node, type);
    if (open) return open;
    switch (node.kind) {
      case Kind.VARIABLE: {
        const name = node.name.value;
        const definition = this.#operation.variables.get(name);
        if (!definition) throw unboundVariable(this.#operation, name, path);
        const declared = typeNodeText(definition.type);
        const expected = [type.name, type.element, `${"[".repeat(lists)}${type.name}${"]".repeat(lists)}`];
        if (!isJson(type) && !expected.includes(bare(declared))) {
          throw invalid(
            path,
            `variable '${name}' is declared as '${declared}', but used where '${type.name}' is expected`,
          );
        }
        addUse(this.uses, name, { type, list: false });
        if (this.#variables[name] === undefined && definition.defaultValue) {
          return this.#scalarLiteral(type, definition.defaultValue, path, lists);
        }
        return { kind: "variable", name, within: [] };
      }
      case Kind.INT:
        return { kind: "constant", value: numberValue(node.value, "int") };
      case Kind.FLOAT:
        return { kind: "constant", value: numberValue(node.value, "float") };
      case Kind.STRING:
      case Kind.BOOLEAN:
        return { kind: "constant", value: node.value };
      case Kind.NULL:
        return { kind: "constant", value: null };
      case Kind.ENUM:
        // JSON columns accept names as strings; of the other scalars only enums accept names.
        if (isJson(type) || type.enumeration || type.acceptsNames) return { kind: "constant", value: node.value };
        throw invalid(path, `expected ${expectedOf(type.name)} for type '${type.name}', but found an enum value`);
      case Kind.LIST: {
        const within = Math.max(lists - 1, 0);
        const items = node.values.map((item, i) => this.#scalarLiteral(type, item, pathTo(path, i), within));
        return foldConstants({ kind: "list", items });
      }
      case Kind.OBJECT: {
        const members = node.fields.map(
          (field) =>
            [field.name.value, this.#scalarLiteral(type, field.value, pathTo(path, field.name.value))] as const,
        );
        return foldConstants({ kind: "object", members });
      }
    }
  }
}

const isJson = ({ name }: ScalarTypeDef): boolean => name === "json" || name === "jsonb";

/** Literals allowed for a value of an enum table. The value itself is checked when it is bound. */
const kindsInEnums: ReadonlySet<Kind> = new Set([Kind.ENUM, Kind.LIST, Kind.NULL, Kind.VARIABLE]);

function foldConstants(source: Extract<ValueSource, { kind: "list" | "object" }>): ValueSource {
  const parts = source.kind === "list" ? source.items : source.members.map(([, member]) => member);
  if (!parts.every((part) => part.kind === "constant")) return source;
  return { kind: "constant", value: sourceValue(source, {}) };
}

function enumInput(type: Extract<InputTypeDef, { kind: "enum" }>, name: string, path: string): Input {
  const value = type.values.get(name);
  if (value) return { kind: "enum", name, meta: value.meta, path };
  const names = [...type.values.keys()].map((n) => `'${n}'`).join(", ");
  throw invalid(path, `expected one of the values [${names}] for type '${type.name}', but found '${name}'`);
}

function nullMessage(type: InputTypeDef, list: boolean): string {
  if (list) return "expected a list, but found null";
  if (type.kind === "input") return `expected an object for type '${type.name}', but found null`;
  return `unexpected null value for type '${type.name}'`;
}

function nullError(field: InputField, path: string): EngineError {
  const type = field.type();
  return invalid(path, nullMessage(type, field.list && type.kind !== "scalar"));
}
