/** Reads `@preset` on an argument or input field of a permission document. */
import { type ConstValueNode, type InputValueDefinitionNode, Kind, print } from "graphql";
import { sessionPrefix } from "../../../runtime/values/session.ts";
import { ownName } from "../../../runtime/values/session-alias.ts";
import {
  namedRemoteType,
  printRemoteType,
  type RemoteInput,
  type RemoteShape,
  type RemoteTypeRef,
} from "../../shape/remote-shape.ts";
import type { RemotePreset } from "../analysis.ts";
import { foreignVariableText, isPeerVariable } from "../foreign-variables.ts";
import { type Fault, unknownName } from "../rejection.ts";

export interface ReadPreset {
  /** True if the directive is present, valid or not. */
  readonly isPreset: boolean;
  readonly value?: RemotePreset["value"];
  readonly fault?: Fault;
}

/** @param alias the alias of the session variable prefix, in lower case */
export function readPreset(
  node: InputValueDefinitionNode,
  upstream: RemoteInput,
  shape: RemoteShape,
  alias: string | null | undefined,
): ReadPreset {
  const presets = (node.directives ?? []).filter(({ name }) => name.value === "preset");
  const [preset, ...more] = presets;
  if (preset === undefined) return { isPreset: false };
  const { name } = upstream;
  const fault = (reason: string): ReadPreset => ({ isPreset: true, fault: { reason } });
  if (more.length > 0) return fault(`found multiple preset directives at "Argument" "${name}"`);
  const given = preset.arguments ?? [];
  if (given.length === 0) return fault("no arguments found in the preset directive");
  const value = given.find((each) => each.name.value === "value")?.value;
  if (value === undefined) return fault(`preset argument "value" not found at "${name}"`);
  const isStatic = given.find((each) => each.name.value === "static")?.value;
  if (isStatic !== undefined && isStatic.kind !== Kind.BOOLEAN) {
    return fault("expected preset static value to be a Boolean value");
  }
  const isConstant = isStatic?.kind === Kind.BOOLEAN && isStatic.value;
  const variable = value.kind === Kind.STRING && !isConstant ? ownName(value.value.toLowerCase(), alias ?? null) : "";
  if (isPeerVariable(variable)) return fault(foreignVariableText(name, variable));
  if (variable.startsWith(sessionPrefix)) {
    const type = upstream.type.kind === "non_null" ? upstream.type.of : upstream.type;
    const isSingle = type.kind === "named" && shape.types.get(type.name)?.kind !== "input_object";
    if (!isSingle) {
      return fault(`illegal preset value at "${name}". Session arguments can only be set for singleton values`);
    }
    return { isPreset: true, value: { session: variable, type: upstream.type } };
  }
  const wrong = literalFault(value, upstream.type, shape);
  return wrong === undefined ? { isPreset: true, value: { literal: print(value) } } : { isPreset: true, fault: wrong };
}

function literalFault(value: ConstValueNode, type: RemoteTypeRef, shape: RemoteShape): Fault | undefined {
  if (type.kind === "non_null") return literalFault(value, type.of, shape);
  if (value.kind === Kind.NULL) return undefined;
  if (type.kind === "list") {
    const items = value.kind === Kind.LIST ? value.values : [value];
    return items.map((item) => literalFault(item, type.of, shape)).find((fault) => fault !== undefined);
  }
  const name = namedRemoteType(type);
  const named = shape.types.get(name);
  const expected = (what: string): Fault => ({
    reason: `expected preset value "${print(value)}" of type "${printRemoteType(type)}" to be ${what} value`,
  });
  switch (named?.kind) {
    case "enum":
      if (value.kind !== Kind.ENUM) return expected("an enum");
      return named.values.some((each) => each.name === value.value)
        ? undefined
        : unknownName(`"${value.value}" not found in the enum: "${name}"`, value.value, namesOf(named.values));
    case "input_object": {
      if (value.kind !== Kind.OBJECT) return expected("an input object");
      for (const field of value.fields) {
        const known = named.fields.find((each) => each.name === field.name.value);
        if (known === undefined) {
          const reason = `"${field.name.value}" does not exist in the input object "${name}"`;
          return unknownName(reason, field.name.value, namesOf(named.fields));
        }
        const fault = literalFault(field.value, known.type, shape);
        if (fault !== undefined) return fault;
      }
      return undefined;
    }
    default:
      return value.kind === Kind.ENUM || value.kind === Kind.LIST || value.kind === Kind.OBJECT
        ? expected("a scalar")
        : undefined;
  }
}

function namesOf(parts: readonly { readonly name: string }[]): readonly string[] {
  return parts.map(({ name }) => name);
}
