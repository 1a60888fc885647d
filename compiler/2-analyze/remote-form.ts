/** Permission documents of remote schemas that allow the same, in whatever order they are written, have one form. */
import { printRemoteType, type RemoteField, type RemoteInput, type RemoteType } from "../shape/remote-shape.ts";
import type { RemotePreset, RemoteRoleShape } from "./analysis.ts";

export function remoteForm({ query, mutation, subscription, types, presets }: RemoteRoleShape): string {
  const all = [...types.values()].map(typeForm).sort();
  return JSON.stringify([query, mutation ?? null, subscription ?? null, all, presets.map(presetForm).sort()]);
}

function typeForm(type: RemoteType): string {
  const head = [type.kind, type.name];
  switch (type.kind) {
    case "scalar":
      return JSON.stringify(head);
    case "enum":
      return JSON.stringify([...head, type.values.map(({ name }) => name).sort()]);
    case "union":
      return JSON.stringify([...head, [...type.members].sort()]);
    case "input_object":
      return JSON.stringify([...head, type.fields.map(inputForm).sort()]);
    case "object":
    case "interface":
      return JSON.stringify([...head, [...type.interfaces].sort(), type.fields.map(fieldForm).sort()]);
  }
}

function fieldForm({ name, type, arguments: args }: RemoteField): string {
  return JSON.stringify([name, printRemoteType(type), args.map(inputForm).sort()]);
}

function inputForm({ name, type, defaultValue }: RemoteInput): string {
  return JSON.stringify([name, printRemoteType(type), defaultValue ?? null]);
}

function presetForm({ type, field, argument, value }: RemotePreset): string {
  return JSON.stringify([type, field, argument ?? null, value]);
}
