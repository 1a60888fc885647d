/** Arguments of functions, and fields of computed values. */

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

/** Yields `args` of a tracked function, if requests set any argument. */
export function functionArguments(types: TypeRegistry, call: TrackedFunction): Arguments {
  const { source, displayName } = call.function;
  const name = source.naming.type(call.type, "args");
  return callArguments(types, call, name, `input parameters for function "${displayName}"`);
}

/** Yields `args` of a computed field, if requests set any argument. */
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
          // An argument without default may be null, but must not be absent. The call checks that.
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

/** Returns the type of an argument. An array is a scalar such as `_uuid`; variables may also be declared as lists. */
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
 * Returns the field of a computed value, also for aggregates of it.
 * @param more additional arguments
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

/** Returns true for a computed field without arguments in requests, which filters and orderings can use. */
export function isPlain(call: FunctionCall): boolean {
  return requestArguments(call).length === 0;
}
