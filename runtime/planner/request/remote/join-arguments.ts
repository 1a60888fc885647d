/**
 * Arguments of a field beside a row or object: what the definition of the relationship gives, with what the request gives
 * of the rest and what the permission presets. What the definition gives wins over presets.
 */
import { type ArgumentNode, Kind, print, type ValueNode } from "graphql";
import type { RemoteSchema } from "../../../definitions/remote/remote-schema.ts";
import type { JoinKey } from "../../../definitions/remote-relationship.ts";
import { typeNodeText } from "../../../definitions/saved/variable.ts";
import { type InputField, type InputTypeDef, typeText } from "../../../schema/types.ts";
import { kindOfValue } from "../../../values/describe-json.ts";
import { EngineError, invariant, pathTo } from "../../../values/errors.ts";
import { isObject } from "../../../values/is-object.ts";
import { JsonNumber } from "../../../values/json-number.ts";
import type { Operation } from "../document.ts";
import type { InputReader } from "../input-reader.ts";
import { kindOfLiteral } from "../literal-names.ts";
import { unknownArgument, unknownField } from "../unknown-field.ts";
import type { RemoteArguments } from "./arguments.ts";
import { literalText } from "./graphql-text.ts";
import type { JoinedArgument } from "./join-request.ts";
import { fitsIn } from "./type-text.ts";
import { valueReader } from "./values.ts";

type Session = ReadonlyMap<string, string>;
type Fixed = Readonly<Record<string, unknown>>;
type Named = readonly [name: string, value: JoinedArgument];

const invalid = (path: string, message: string): EngineError => new EngineError("validation-failed", path, message);

export interface JoinArgumentsContext {
  readonly operation: Operation;
  readonly inputs: InputReader;
  readonly remote: RemoteSchema;
  /** What `$name` stands for in the definition. */
  readonly keys: readonly JoinKey[];
  /** A list with keys takes those of many. */
  readonly isBatch: boolean;
  readonly args: RemoteArguments;
}

/** A field of the server, as the role calls it. */
export interface ArgumentsOwner {
  readonly type: string;
  readonly name: string;
}

export class JoinArguments {
  readonly #context: JoinArgumentsContext;

  constructor(context: JoinArgumentsContext) {
    this.#context = context;
  }

  /** Of a field on the way: requests give nothing. */
  fixed(owner: ArgumentsOwner, fixed: Fixed): readonly Named[] {
    return [...this.#members(fixed), ...this.#presets(owner, new Set(Object.keys(fixed)))];
  }

  /**
   * Of the field that is asked for.
   * @param known the arguments that the definition leaves
   * @throws EngineError `validation-failed`
   */
  given(owner: ArgumentsOwner, fixed: Fixed, { name, known, nodes, path }: GivenArguments): readonly Named[] {
    const given = new Map<string, JoinedArgument>();
    for (const { name: node, value } of nodes) {
      const argument = node.value;
      const definition = known.get(argument);
      if (!definition) throw unknownArgument(path, name, argument, known);
      if (given.has(argument)) throw invalid(path, `'${name}' has several arguments named '${argument}'`);
      given.set(argument, this.#place(definition, own(fixed, argument), value, pathTo(path, "args", argument)));
    }
    checkRequired(known, given, pathTo(path, "args"));
    const rest = this.#members(fixed).filter(([argument]) => !given.has(argument));
    const named = new Set([...given.keys(), ...Object.keys(fixed)]);
    return [...given, ...rest, ...this.#presets(owner, named)];
  }

  #members(fixed: Fixed): readonly Named[] {
    return Object.entries(fixed).map(([name, value]) => [name, this.#fixed(value)]);
  }

  #fixed(value: unknown): JoinedArgument {
    if (typeof value === "string" && value.startsWith("$")) {
      const key = this.#context.keys.findIndex(({ name }) => name === value.slice(1));
      invariant(key >= 0, `${value} is a key of the relationship`);
      return { kind: "key", key };
    }
    if (Array.isArray(value) && this.#context.isBatch && holdsKey(value)) {
      return { kind: "keys", item: this.#fixed(value[0]) };
    }
    if (Array.isArray(value)) return { kind: "list", items: value.map((item) => this.#fixed(item)) };
    if (isObject(value) && !(value instanceof JsonNumber)) return { kind: "object", fields: this.#members(value) };
    return { kind: "text", text: literalText(value) };
  }

  #presets({ type, name }: ArgumentsOwner, except: ReadonlySet<string>): readonly Named[] {
    return this.#context.args.presets(type, name, except).map(([argument, text]) => [argument, { kind: "text", text }]);
  }

  /** @param fixed what the definition gives of an input object; else it gives nothing */
  #place(field: InputField, fixed: unknown, node: ValueNode, path: string): JoinedArgument {
    const type = field.type();
    if (!isObject(fixed) || type.kind !== "input") {
      return { kind: "text", text: print(this.#context.args.place(field, node, path)) };
    }
    switch (node.kind) {
      case Kind.VARIABLE:
        return this.#variable(field, type, fixed, node.name.value, path);
      case Kind.OBJECT: {
        const known = type.fields();
        const given = new Map<string, JoinedArgument>();
        for (const { name, value } of node.fields) {
          const fieldPath = pathTo(path, name.value);
          const definition = known.get(name.value);
          if (!definition) throw unknownField(fieldPath, name.value, type);
          if (given.has(name.value))
            throw invalid(fieldPath, `'${type.name}' has several fields named '${name.value}'`);
          given.set(name.value, this.#place(definition, own(fixed, name.value), value, fieldPath));
        }
        return this.#object(type, fixed, given, path);
      }
      case Kind.NULL:
        if (!field.required) return this.#fixed(fixed);
        throw invalid(path, `unexpected null value for type '${typeText(field)}'`);
      default:
        throw invalid(path, `expected an object for type '${type.name}', but found ${kindOfLiteral(node)}`);
    }
  }

  /** What is given, and what the definition gives. */
  #object(
    type: Extract<InputTypeDef, { kind: "input" }>,
    fixed: Fixed,
    given: ReadonlyMap<string, JoinedArgument>,
    path: string,
  ): JoinedArgument {
    checkRequired(type.fields(), given, path);
    return { kind: "object", fields: [...given, ...this.#members(fixed).filter(([name]) => !given.has(name))] };
  }

  #variable(
    field: InputField,
    type: Extract<InputTypeDef, { kind: "input" }>,
    fixed: Fixed,
    name: string,
    path: string,
  ): JoinedArgument {
    const declared = this.#context.operation.variables.get(name);
    if (!declared) throw invalid(path, `unbound variable "${name}"`);
    const { type: node, defaultValue } = declared;
    const text = typeNodeText(node);
    const place = typeText(field);
    if (!fitsIn(text, place, { hasDefault: defaultValue !== undefined && defaultValue.kind !== Kind.NULL })) {
      throw invalid(path, `variable '${name}' is declared as '${text}', but used where '${place}' is expected`);
    }
    this.#context.inputs.use(name);
    const standard = defaultValue && this.#place(field, fixed, defaultValue, path);
    return {
      kind: "variable",
      name,
      read: (value, session) => {
        if (value === undefined) return standard ?? this.#fixed(fixed);
        return this.#json(type, fixed, value, path, session);
      },
    };
  }

  #json(
    type: Extract<InputTypeDef, { kind: "input" }>,
    fixed: Fixed,
    value: unknown,
    path: string,
    session: Session,
  ): JoinedArgument {
    if (value === null) return this.#fixed(fixed);
    if (!isObject(value) || value instanceof JsonNumber) {
      throw invalid(path, `expected an object for type '${type.name}', but found ${kindOfValue(value, false)}`);
    }
    const known = type.fields();
    const given = new Map<string, JoinedArgument>();
    for (const [name, member] of Object.entries(value)) {
      const fieldPath = pathTo(path, name);
      const definition = known.get(name);
      if (!definition) throw unknownField(fieldPath, name, type);
      const inner = definition.type();
      const rest = own(fixed, name);
      if (isObject(rest) && inner.kind === "input") {
        given.set(name, this.#json(inner, rest, member, fieldPath, session));
      } else {
        const read = valueReader({ remote: this.#context.remote, path: fieldPath }, inner, typeText(definition));
        given.set(name, { kind: "text", text: literalText(read(member, session), inner) });
      }
    }
    return this.#object(type, fixed, given, path);
  }
}

function holdsKey(value: unknown): boolean {
  if (typeof value === "string") return value.startsWith("$");
  return typeof value === "object" && value !== null && Object.values(value).some(holdsKey);
}

const own = (fixed: Fixed, name: string): unknown => (Object.hasOwn(fixed, name) ? fixed[name] : undefined);

export interface GivenArguments {
  /** Of the field. */
  readonly name: string;
  readonly known: ReadonlyMap<string, InputField>;
  readonly nodes: readonly ArgumentNode[];
  readonly path: string;
}

function checkRequired(
  known: ReadonlyMap<string, InputField>,
  given: ReadonlyMap<string, JoinedArgument>,
  path: string,
): void {
  for (const [name, { required, defaultValue }] of known) {
    if (!required || defaultValue !== undefined || given.has(name)) continue;
    throw invalid(pathTo(path, name), `missing required field '${name}'`);
  }
}
