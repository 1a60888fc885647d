/**
 * Arguments of a joined remote field: arguments fixed by the relationship's definition, arguments of the request, and
 * presets of the permission. The definition overrides presets.
 */
import { type ArgumentNode, Kind, print, type ValueNode } from "graphql";
import { EngineError, pathTo } from "../../../../values/errors.ts";
import { isObject } from "../../../../values/is-object.ts";
import { typeNodeText } from "../../../definitions/saved/variable.ts";
import { type InputField, type InputTypeDef, typeText } from "../../../schema/types.ts";
import type { Operation } from "../document.ts";
import type { InputReader } from "../input-reader.ts";
import { kindOfLiteral } from "../literal-names.ts";
import { unknownArgument, unknownField } from "../unknown-field.ts";
import type { RemoteArguments } from "./arguments.ts";
import {
  checkRequired,
  type Fixed,
  FixedArguments,
  type FixedContext,
  type Named,
  own,
  partlyGiven,
} from "./fixed-arguments.ts";
import type { JoinedArgument } from "./join-request.ts";
import { fitsIn } from "./type-text.ts";

const invalid = (path: string, message: string): EngineError => new EngineError("validation-failed", path, message);

export interface JoinArgumentsContext extends FixedContext {
  readonly operation: Operation;
  readonly inputs: InputReader;
  readonly args: RemoteArguments;
}

/** A remote field, by its names in the role's schema. */
export interface ArgumentsOwner {
  readonly type: string;
  readonly name: string;
}

export class JoinArguments {
  readonly #context: JoinArgumentsContext;
  readonly #fixed: FixedArguments;

  constructor(context: JoinArgumentsContext) {
    this.#context = context;
    this.#fixed = new FixedArguments(context);
  }

  /** Returns the arguments of a field on the path, for which requests provide none. */
  fixed(owner: ArgumentsOwner, fixed: Fixed): readonly Named[] {
    return [...this.#fixed.members(fixed), ...this.#presets(owner, new Set(Object.keys(fixed)))];
  }

  /**
   * Returns the arguments of the selected field.
   * @param known arguments that the definition does not fix
   * @throws EngineError `validation-failed`
   */
  given(owner: ArgumentsOwner, fixed: Fixed, { name, known, nodes, path }: GivenArguments): readonly Named[] {
    const given = new Map<string, JoinedArgument>();
    for (const { name: node, value } of nodes) {
      const argument = node.value;
      const definition = known.get(argument);
      if (!definition) throw unknownArgument(path, name, argument, known);
      if (given.has(argument)) throw invalid(path, `'${name}' has several arguments named '${argument}'`);
      given.set(
        argument,
        this.#argument(definition, own(fixed, argument), value, [argument], pathTo(path, "args", argument)),
      );
    }
    checkRequired(known, given, pathTo(path, "args"));
    const rest = this.#fixed.members(fixed).filter(([argument]) => !given.has(argument));
    const named = new Set([...given.keys(), ...Object.keys(fixed)]);
    return [...given, ...rest, ...this.#presets(owner, named)];
  }

  #presets({ type, name }: ArgumentsOwner, except: ReadonlySet<string>): readonly Named[] {
    return this.#context.args.presets(type, name, except).map(([argument, text]) => [argument, { kind: "text", text }]);
  }

  /**
   * Merges an argument of the request with its fixed fields.
   * @param fixed fixed fields of an input object, if any
   * @param within path in the arguments
   */
  #argument(
    field: InputField,
    fixed: unknown,
    node: ValueNode,
    within: readonly string[],
    path: string,
  ): JoinedArgument {
    const type = field.type();
    if (!isObject(fixed) || type.kind !== "input") {
      return { kind: "text", text: print(this.#context.args.value(field, node, path)) };
    }
    switch (node.kind) {
      case Kind.VARIABLE:
        return this.#variable(field, type, fixed, node.name.value, within, path);
      case Kind.OBJECT: {
        const known = type.fields();
        const given = new Map<string, JoinedArgument>();
        for (const { name, value } of node.fields) {
          const fieldPath = pathTo(path, name.value);
          const definition = known.get(name.value);
          if (!definition) throw unknownField(fieldPath, name.value, type);
          if (given.has(name.value))
            throw invalid(fieldPath, `'${type.name}' has several fields named '${name.value}'`);
          const inside = [...within, name.value];
          given.set(name.value, this.#argument(definition, own(fixed, name.value), value, inside, fieldPath));
        }
        return this.#fixed.completed(type, fixed, given, path);
      }
      case Kind.NULL:
        if (!field.required) return this.#fixed.argument(fixed);
        throw invalid(path, `unexpected null value for type '${typeText(field)}'`);
      default:
        throw invalid(path, `expected an object for type '${type.name}', but found ${kindOfLiteral(node)}`);
    }
  }

  #variable(
    field: InputField,
    type: Extract<InputTypeDef, { kind: "input" }>,
    fixed: Fixed,
    name: string,
    within: readonly string[],
    path: string,
  ): JoinedArgument {
    const declared = this.#context.operation.variables.get(name);
    if (!declared) throw invalid(path, `unbound variable "${name}"`);
    const { type: node, defaultValue } = declared;
    const text = typeNodeText(node);
    const expected = typeText(field);
    if (!fitsIn(text, expected, { hasDefault: defaultValue !== undefined && defaultValue.kind !== Kind.NULL })) {
      throw invalid(path, `variable '${name}' is declared as '${text}', but used where '${expected}' is expected`);
    }
    this.#context.inputs.use(name);
    const standard = defaultValue && this.#argument(field, fixed, defaultValue, within, path);
    return partlyGiven(this.#fixed, { name, within, type: type.name, input: () => type, fixed, path, standard });
  }
}

export interface GivenArguments {
  /** Name of the field. */
  readonly name: string;
  readonly known: ReadonlyMap<string, InputField>;
  readonly nodes: readonly ArgumentNode[];
  readonly path: string;
}
