/** What requests give to functions, and the fields of computed values (`graphql-api.md` 5.6, 5.8). */

import { lazy, sortedMap } from "../../values/lazy.ts";
import {
  type ComputedValue,
  type FunctionCall,
  requestArguments,
  type TrackedFunction,
} from "../definitions/function.ts";
import type { ScalarType } from "../definitions/scalar-type.ts";
import type { TableView } from "../definitions/view.ts";
import type { TypeRegistry } from "./registry.ts";
import type { InputField, InputObjectTypeDef, OutputField, ScalarTypeDef } from "./types.ts";

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
          ...argumentType(types, type),
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

/** An array is a scalar of its own here, as in `_uuid`. Variables may be declared as lists, too. */
function argumentType(
  types: TypeRegistry,
  given: ScalarType,
): Pick<InputField, "type" | "list"> & Partial<Pick<InputField, "alsoDeclared">> {
  const { element } = given;
  if (element === undefined) return { type: () => types.scalarOf(given), list: false };
  const name = `_${/^\w+$/.test(element.cast) ? element.cast : element.graphql}`;
  const { name: item } = types.scalarOf(element);
  const type = () => types.get<ScalarTypeDef>(name, () => ({ kind: "scalar", name, element: item }));
  return { type, list: false, alsoDeclared: `[${item}]` };
}

/**
 * A computed field that is a value; what aggregates make of it has its type, too.
 * @param more other arguments
 */
export function computedValueField(
  types: TypeRegistry,
  view: TableView,
  field: string,
  computed: ComputedValue,
  more: Arguments = [],
): OutputField {
  return {
    type: () => types.scalarOf(computed.type),
    list: computed.type.element !== undefined,
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
