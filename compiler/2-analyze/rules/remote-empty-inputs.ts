/**
 * Removes input objects whose fields are all preset by a permission. GraphQL has no types without fields, so the
 * arguments and fields of such a type are preset as a whole.
 */
import { namedRemoteType, type RemoteInput, type RemoteType, type RemoteTypeRef } from "../../shape/remote-shape.ts";
import type { RemotePreset, RemoteRoleShape } from "../analysis.ts";

export function withoutEmptyInputs(shape: RemoteRoleShape): RemoteRoleShape {
  const emptyType = [...shape.types.values()].find((type) => type.kind === "input_object" && type.fields.length === 0);
  if (emptyType === undefined) return shape;
  const value = { object: presetsIn(emptyType.name, shape.presets) };
  const presets = [...shape.presets];
  const isLeft = (input: RemoteInput, place: Omit<RemotePreset, "value">): boolean => {
    if (namedRemoteType(input.type) !== emptyType.name) return true;
    // An optional list is left out. A required list gets the object as its only item.
    if (!isList(input.type) || input.type.kind === "non_null") presets.push({ ...place, value });
    return false;
  };
  const types = new Map<string, RemoteType>();
  for (const [name, type] of shape.types) if (type !== emptyType) types.set(name, withoutInputs(type, isLeft));
  // Removing fields may have left further types empty.
  return withoutEmptyInputs({ ...shape, types, presets: presets.filter((preset) => preset.type !== emptyType.name) });
}

type Place = Omit<RemotePreset, "value">;

function withoutInputs(type: RemoteType, isLeft: (input: RemoteInput, place: Place) => boolean): RemoteType {
  if (type.kind === "input_object") {
    const fields = type.fields.filter((field) => isLeft(field, { type: type.name, field: field.name }));
    return { ...type, fields };
  }
  if (type.kind !== "object" && type.kind !== "interface") return type;
  const fields = type.fields.map((field) => {
    const place = (argument: RemoteInput) => ({ type: type.name, field: field.name, argument: argument.name });
    return { ...field, arguments: field.arguments.filter((argument) => isLeft(argument, place(argument))) };
  });
  return { ...type, fields };
}

function presetsIn(type: string, presets: readonly RemotePreset[]): Readonly<Record<string, RemotePreset["value"]>> {
  const own = presets.filter((preset) => preset.type === type && preset.argument === undefined);
  return Object.fromEntries(own.map(({ field, value }) => [field, value]));
}

function isList(type: RemoteTypeRef): boolean {
  return type.kind === "list" || (type.kind === "non_null" && isList(type.of));
}
