/** What requests give to functions, and the fields of computed values (`graphql-api.md` 5.6, 5.8). */
import {
  type ComputedValue,
  type FunctionCall,
  requestArguments,
  type TrackedFunction,
} from "../definitions/function.ts";
import type { TableView } from "../definitions/view.ts";
import { lazy, sortedMap } from "../values/lazy.ts";
import type { TypeRegistry } from "./registry.ts";
import type { InputField, InputObjectTypeDef, OutputField, OutputTypeDef } from "./types.ts";

type Arguments = Iterable<readonly [string, InputField]>;

/** `args` of a tracked function; nothing if it takes nothing from requests. */
export function functionArguments(types: TypeRegistry, call: TrackedFunction): Arguments {
  const { source, displayName } = call.function;
  const name = source.naming.type(call.type, "args");
  return callArguments(types, call, name, `input parameters for function "${displayName}"`);
}

/** `args` of a computed field; nothing if it takes nothing from requests. */
export function computedArguments(types: TypeRegistry, view: TableView, field: string, call: FunctionCall): Arguments {
  const { source, type, displayName } = view.table;
  const name = source.naming.type(source.naming.commonType(field, type), "args");
  const description = `input parameters for computed field "${field}" defined on table "${displayName}"`;
  return callArguments(types, call, name, description);
}

function* callArguments(types: TypeRegistry, call: FunctionCall, name: string, description: string): Arguments {
  const given = requestArguments(call);
  if (given.length === 0) return;
  const required = given.some(({ argument }) => !argument.hasDefault);
  const fields = lazy(() =>
    sortedMap(
      given.map(({ field, argument: { type } }): [string, InputField] => [
        field,
        {
          type: () => types.scalarOf(type),
          list: type.element !== undefined,
          // One that has no default may be null, but not be left out: the call finds that.
          required: false,
          nullIsAbsent: false,
          nullIsValue: true,
          meta: { kind: "argument" },
        },
      ]),
    ),
  );
  yield [
    "args",
    {
      type: () => types.of(call.function.source).get<InputObjectTypeDef>(name, () => ({ kind: "input", name, fields })),
      list: false,
      required,
      nullIsAbsent: !required,
      description,
      meta: { kind: "argument" },
    },
  ];
}

/**
 * A computed field that is a value.
 * @param more other arguments
 */
export function computedValueField(
  types: TypeRegistry,
  view: TableView,
  field: string,
  computed: ComputedValue,
  { type, more = [] }: { readonly type?: () => OutputTypeDef; readonly more?: Arguments } = {},
): OutputField {
  return {
    type: type ?? (() => types.scalarOf(computed.type)),
    list: type === undefined && computed.type.element !== undefined,
    required: false,
    description: () => computed.description,
    args: lazy(() => sortedMap([...computedArguments(types, view, field, computed), ...more])),
    meta: { kind: "computed", computed },
  };
}

/** Whether filters and orderings can use a computed field: it takes nothing from requests. */
export function isPlain(call: FunctionCall): boolean {
  return requestArguments(call).length === 0;
}
