/**
 * Validates arguments of remote fields against the role's types, translates them to upstream names and adds presets.
 * Variables remain variables; their values are checked when a request is bound.
 */
import {
  type ArgumentNode,
  Kind,
  type ObjectFieldNode,
  print,
  type ValueNode,
  type VariableDefinitionNode,
} from "graphql";
import { EngineError, pathTo } from "../../../../values/errors.ts";
import {
  argumentPresetsOf,
  inputPresetsOf,
  type RemotePreset,
  type RemotePresets,
  type RemoteSchema,
  upstreamType,
} from "../../../definitions/remote/remote-schema.ts";
import { defaultValue, typeNodeText } from "../../../definitions/saved/variable.ts";
import type { RemoteTypes } from "../../../schema/remote-type-set.ts";
import {
  type InputField,
  type InputObjectTypeDef,
  type InputTypeDef,
  memberText,
  typeText,
} from "../../../schema/types.ts";
import { checkDepth } from "../budget.ts";
import type { Operation } from "../document.ts";
import type { InputReader } from "../input-reader.ts";
import { expectedOf, kindOfLiteral } from "../literal-names.ts";
import { unboundVariable } from "../undeclared-name.ts";
import { unknownArgument, unknownField } from "../unknown-field.ts";
import type { RemoteVariable } from "./remote-request.ts";
import { isScalarLiteral } from "./scalar-value.ts";
import { fitsIn, itemOf, nameIn, nonNullOf, renamedIn } from "./type-text.ts";
import { checkOneField, literalOfText } from "./values.ts";
import { operationVariable, sessionVariable } from "./variables.ts";

const invalid = (path: string, message: string): EngineError => new EngineError("validation-failed", path, message);

export interface RemoteArgumentsContext {
  readonly operation: Operation;
  readonly inputs: InputReader;
  /** Omits null arguments (`ENGINE_GRAPHQL_REMOTE_SCHEMA_SKIP_NULLS`). */
  readonly skipNulls: boolean;
  readonly types: RemoteTypes;
}

interface FieldArguments {
  readonly type: string;
  readonly name: string;
  readonly args: ReadonlyMap<string, InputField>;
  readonly path: string;
}

/** Reads the arguments of one root field and of all nested fields, and collects their variables. */
export class RemoteArguments {
  readonly variables = new Map<string, RemoteVariable>();
  readonly #context: RemoteArgumentsContext;
  readonly #remote: RemoteSchema;
  #level = 0;

  constructor(context: RemoteArgumentsContext, remote: RemoteSchema) {
    this.#context = context;
    this.#remote = remote;
  }

  /**
   * Returns the arguments of a field as GraphQL text.
   * @throws EngineError `validation-failed`
   */
  read({ type, name, args: known, path }: FieldArguments, nodes: readonly ArgumentNode[]): [string, string][] {
    const argsPath = pathTo(path, "args");
    const args: [string, string][] = [];
    const given = new Set<string>();
    for (const { name: node, value } of nodes) {
      const argument = node.value;
      const definition = known.get(argument);
      if (!definition) throw unknownArgument(path, name, argument, known);
      if (given.has(argument)) throw invalid(path, `'${name}' has several arguments named '${argument}'`);
      given.add(argument);
      const read = this.value(definition, value, pathTo(argsPath, argument));
      if (this.#context.skipNulls && read.kind === Kind.NULL) continue;
      args.push([argument, print(read)]);
    }
    checkRequired(known, given, argsPath);
    return [...args, ...this.presets(type, name)];
  }

  /** Returns the preset arguments of a field as GraphQL text. */
  presets(type: string, name: string, except: ReadonlySet<string> = new Set()): [string, string][] {
    const presets = Object.entries(argumentPresetsOf(this.#remote, type, name));
    const included = presets.filter(([argument]) => !except.has(argument));
    return included.map(([argument, preset]) => [argument, print(this.#preset(preset))]);
  }

  /**
   * Reads the value of an argument or input field.
   * @throws EngineError `validation-failed`
   */
  value(field: InputField, node: ValueNode, path: string): ValueNode {
    const type = field.type();
    const expected = typeText(field);
    if (node.kind === Kind.VARIABLE) return this.#variable(node.name.value, type, expected, field, path);
    return this.#literal(type, expected, node, path);
  }

  #member(owner: InputObjectTypeDef, field: InputField, node: ValueNode, path: string): ValueNode {
    if (!owner.isOneOf) return this.value(field, node, path);
    // No default applies: a variable for the only field is declared non-null.
    return this.#literal(field.type(), memberText(owner, field), node, path);
  }

  #literal(type: InputTypeDef, expected: string, node: ValueNode, path: string): ValueNode {
    const required = nonNullOf(expected);
    if (node.kind === Kind.VARIABLE) return this.#variable(node.name.value, type, expected, undefined, path);
    if (node.kind === Kind.NULL) {
      if (required === undefined) return node;
      throw invalid(path, `unexpected null value for type '${expected}'`);
    }
    const item = itemOf(required ?? expected);
    if (item !== undefined) {
      // A single value is coerced to a list of one item (GraphQL specification, 3.11).
      if (node.kind !== Kind.LIST) return this.#literal(type, item, node, path);
      return { ...node, values: node.values.map((value, i) => this.#literal(type, item, value, pathTo(path, i))) };
    }
    switch (type.kind) {
      case "scalar":
        if (!isScalarLiteral(type.name, node)) {
          const found = kindOfLiteral(node);
          throw invalid(path, `expected ${expectedOf(type.name)} for type '${type.name}', but found ${found}`);
        }
        return this.#variablesIn(node, path);
      case "enum":
        if (node.kind !== Kind.ENUM) {
          throw invalid(path, `expected an enum value for type '${type.name}', but found ${kindOfLiteral(node)}`);
        }
        if (!type.values.has(node.value)) throw notOneOf(type, node.value, path);
        return node;
      case "input":
        return this.#object(type, node, path);
    }
  }

  #object(type: InputObjectTypeDef, node: ValueNode, path: string): ValueNode {
    if (node.kind !== Kind.OBJECT) {
      throw invalid(path, `expected an object for type '${type.name}', but found ${kindOfLiteral(node)}`);
    }
    checkDepth(++this.#level, path);
    const known = type.fields();
    const given = new Set<string>();
    const fields = node.fields.map((field) => {
      const name = field.name.value;
      const fieldPath = pathTo(path, name);
      const definition = known.get(name);
      if (!definition) throw unknownField(fieldPath, name, type);
      if (given.has(name)) throw invalid(fieldPath, `'${type.name}' has several fields named '${name}'`);
      given.add(name);
      return { ...field, value: this.#member(type, definition, field.value, fieldPath) };
    });
    this.#level--;
    if (type.isOneOf) checkOneField(type, given.size, path);
    checkRequired(known, given, path);
    return { ...node, fields: [...fields, ...this.#presetFields(inputPresetsOf(this.#remote, type.name))] };
  }

  /** Reads the variables inside a literal of a custom scalar; their types are the declared types. */
  #variablesIn(node: ValueNode, path: string): ValueNode {
    switch (node.kind) {
      case Kind.VARIABLE: {
        const name = node.name.value;
        const declared = typeNodeText(this.#declared(name, path).type);
        const type = this.#context.types.input(nameIn(declared));
        if (type) return this.#variable(name, type, declared, undefined, path);
        throw invalid(path, `variable '${name}' is declared as '${declared}', which the remote schema does not have`);
      }
      case Kind.LIST:
        return { ...node, values: node.values.map((value, i) => this.#variablesIn(value, pathTo(path, i))) };
      case Kind.OBJECT: {
        const fields = node.fields.map((field) => {
          return { ...field, value: this.#variablesIn(field.value, pathTo(path, field.name.value)) };
        });
        return { ...node, fields };
      }
      default:
        return node;
    }
  }

  /**
   * Declares a variable of the upstream request and returns its reference.
   * @param field the argument or input field whose whole value is the variable, if any; the default of the field
   *   applies
   */
  #variable(
    name: string,
    type: InputTypeDef,
    expected: string,
    field: InputField | undefined,
    path: string,
  ): ValueNode {
    const { type: node, defaultValue: given } = this.#declared(name, path);
    const declared = typeNodeText(node);
    const hasOwn = given !== undefined && given.kind !== Kind.NULL;
    const hasDefault = field !== undefined && (hasOwn || field.defaultValue !== undefined);
    if (!fitsIn(declared, expected, { hasDefault })) {
      throw invalid(path, `variable '${name}' is declared as '${declared}', but used where '${expected}' is expected`);
    }
    this.#context.inputs.use(name);
    if (!this.variables.has(name)) {
      const standard = given && this.#default(type, declared, given, path);
      const sendsDefault = standard === undefined || "text" in standard;
      const upstream = renamedIn(declared, upstreamType(this.#remote, type.name));
      const variable = operationVariable({
        remote: this.#remote,
        name,
        // Without a default in the upstream request, the value is required.
        type: sendsDefault || upstream.endsWith("!") ? upstream : `${upstream}!`,
        declared,
        input: () => type,
        path,
        ...(standard && "text" in standard && { defaultValue: standard.text }),
        ...(standard && "json" in standard && { otherwise: standard.json }),
      });
      this.variables.set(name, variable);
    }
    return variableNode(name);
  }

  /** Returns a default as text, or as JSON if it contains session presets: defaults cannot contain variables. */
  #default(
    type: InputTypeDef,
    declared: string,
    node: ValueNode,
    path: string,
  ): { readonly text: string } | { readonly json: unknown } {
    const before = new Set(this.variables.keys());
    const literal = this.#literal(type, declared, node, path);
    if (!usesVariables(literal)) return { text: print(literal) };
    for (const name of this.variables.keys()) if (!before.has(name)) this.variables.delete(name);
    return { json: defaultValue(node) };
  }

  #declared(name: string, path: string): VariableDefinitionNode {
    const definition = this.#context.operation.variables.get(name);
    if (!definition) throw unboundVariable(this.#context.operation, name, path);
    return definition;
  }

  #presetFields(presets: RemotePresets): ObjectFieldNode[] {
    return Object.entries(presets).map(([name, preset]) => {
      return { kind: Kind.OBJECT_FIELD, name: { kind: Kind.NAME, value: name }, value: this.#preset(preset) };
    });
  }

  #preset(preset: RemotePreset): ValueNode {
    if (preset.kind === "literal") return literalOfText(preset.text);
    if (preset.kind === "object") return { kind: Kind.OBJECT, fields: this.#presetFields(preset.fields) };
    const { variable, type } = preset;
    const name = this.#sessionName(variable, type);
    this.variables.set(name, sessionVariable(name, variable, type));
    return variableNode(name);
  }

  /** Returns a variable name that the request does not use; equal presets have equal names. */
  #sessionName(variable: string, type: string): string {
    const base = `session_${variable.replace(/\W/g, "_")}_${type.replace(/!/g, "_required").replace(/\W/g, "_")}`;
    let name = base;
    while (this.#context.operation.variables.has(name)) name = `_${name}`;
    return name;
  }
}

function checkRequired(known: ReadonlyMap<string, InputField>, given: ReadonlySet<string>, path: string): void {
  for (const [name, { required, defaultValue }] of known) {
    if (!required || defaultValue !== undefined || given.has(name)) continue;
    throw invalid(pathTo(path, name), `missing required field '${name}'`);
  }
}

function notOneOf({ name, values }: Extract<InputTypeDef, { kind: "enum" }>, value: string, path: string): EngineError {
  const names = [...values.keys()].map((each) => `'${each}'`).join(", ");
  return invalid(path, `expected one of the values [${names}] for type '${name}', but found '${value}'`);
}

function usesVariables(node: ValueNode): boolean {
  switch (node.kind) {
    case Kind.VARIABLE:
      return true;
    case Kind.LIST:
      return node.values.some(usesVariables);
    case Kind.OBJECT:
      return node.fields.some(({ value }) => usesVariables(value));
    default:
      return false;
  }
}

const variableNode = (name: string) => ({ kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } }) as const;
