/** Random remote servers, and random permission documents for them. */
import type { Choices } from "../../choices.ts";
import type { Field, Input, Permission, Preset, Type, Types } from "./model.ts";
import { nameIn } from "./model.ts";

const scalars = ["Int", "Float", "String", "Boolean", "ID", "Anything"];

const numbered = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

function wrapped(choices: Choices, name: string): string {
  let type = name;
  for (let lists = choices.pick([0, 0, 0, 1, 1, 2]); lists >= 0; lists--) {
    if (choices.chance(40)) type = `${type}!`;
    if (lists > 0) type = `[${type}]`;
  }
  return type;
}

export function randomTypes(choices: Choices): Types {
  const enums = numbered("Enum", choices.number(1, 2));
  const inputs = numbered("Input", choices.number(1, 3));
  const interfaces = numbered("Face", choices.number(1, 2));
  const objects = numbered("Obj", choices.number(2, 4));
  const unions = numbered("Union", choices.number(0, 2));
  const types: Type[] = [{ kind: "scalar", name: "Anything" }];
  for (const name of enums) types.push({ kind: "enum", name, values: numbered("V", choices.number(2, 4)) });
  const input = (name: string, mayNest: boolean): Input => {
    const leaf = choices.pick([...scalars, ...enums]);
    const named = mayNest && choices.chance(30) ? choices.pick(inputs) : leaf;
    // A cycle of required input objects would have no valid value.
    const type = inputs.includes(named) ? choices.pick([named, `[${named}!]`]) : wrapped(choices, named);
    const standard = choices.chance(20) ? defaultOf(type) : undefined;
    return { name, type, ...(standard !== undefined && { default: standard }) };
  };
  for (const name of inputs) {
    types.push({ kind: "input", name, fields: numbered("in", choices.number(1, 4)).map((each) => input(each, true)) });
  }
  const field = (name: string): Field => ({
    name,
    type: wrapped(choices, choices.pick([...scalars, ...enums, ...objects, ...interfaces, ...unions])),
    args: numbered("arg", choices.pick([0, 0, 1, 2])).map((each) => input(each, true)),
  });
  const promised = new Map(
    interfaces.map((name, i) => [name, numbered(`shared${i}_`, choices.number(1, 3)).map(field)] as const),
  );
  for (const [name, fields] of promised) types.push({ kind: "interface", name, interfaces: [], fields });
  for (const [i, name] of objects.entries()) {
    // Every interface has at least one implementing object.
    const own = interfaces.filter((_, at) => at === i || choices.chance(40));
    const fields = own.flatMap((each) => promised.get(each) ?? []);
    types.push({
      kind: "object",
      name,
      interfaces: own,
      fields: [...fields, ...numbered("own", choices.number(1, 3)).map(field)],
    });
  }
  for (const name of unions) {
    const members = choices.shuffled(objects, choices.number(1, objects.length));
    types.push({ kind: "union", name, members });
  }
  const roots = [...objects, ...interfaces, ...unions].map((each, i) => ({
    ...field(`root${i}`),
    type: wrapped(choices, each),
  }));
  types.push({
    kind: "object",
    name: "Query",
    interfaces: [],
    fields: [...roots, { ...field("plain"), type: "String" }],
  });
  types.push({ kind: "object", name: "Mutation", interfaces: [], fields: numbered("change", 2).map(field) });
  return new Map(types.map((type) => [type.name, type]));
}

/** Returns a default value for a built-in scalar. */
function defaultOf(type: string): string | undefined {
  const values: Readonly<Record<string, string>> = { Int: "3", Float: "1.5", String: '"standard"', Boolean: "true" };
  return values[type.replace(/!$/, "")];
}

const isRequired = (input: Input): boolean => input.type.endsWith("!") && input.default === undefined;

/** Returns a consistent part of the types, with some values preset. */
export function randomPermission(choices: Choices, all: Types): Permission {
  const keep = choices.number(50, 95);
  const kept = new Map<string, Type>();
  for (const [name, type] of all) {
    const isNeeded = type.kind !== "object" || name === "Query" || choices.chance(keep);
    if (isNeeded) kept.set(name, part(choices, type, keep));
  }
  return withPresets(choices, reachable(complete(kept)));
}

function part(choices: Choices, type: Type, keep: number): Type {
  switch (type.kind) {
    case "scalar":
    case "union":
      return type;
    case "enum":
      return { ...type, values: type.values.filter((_, i) => i === 0 || choices.chance(keep)) };
    case "input":
      return { ...type, fields: type.fields.filter((each, i) => i === 0 || isRequired(each) || choices.chance(keep)) };
    default: {
      const fields = type.fields.filter(({ name }) => name === "plain" || choices.chance(keep));
      const args = (field: Field) => field.args.filter((each) => isRequired(each) || choices.chance(keep));
      return { ...type, fields: fields.map((field) => ({ ...field, args: args(field) })) };
    }
  }
}

/** Removes references to missing types until none remain. */
function complete(types: Types): Types {
  const next = new Map<string, Type>();
  const isThere = (type: string): boolean => scalars.includes(nameIn(type)) || types.has(nameIn(type));
  for (const [name, type] of types) {
    if (type.kind === "union") {
      const members = type.members.filter(isThere);
      if (members.length > 0) next.set(name, { ...type, members });
    } else if (type.kind === "object" || type.kind === "interface") {
      const interfaces = type.interfaces.filter(isThere);
      const promised = interfaces.flatMap((each) => {
        const general = types.get(each);
        return general?.kind === "interface" ? general.fields : [];
      });
      // The fields of an interface occur in the object as declared in the interface.
      const own = type.fields.filter((field) => !promised.some((each) => each.name === field.name));
      const fields = [...promised, ...own].filter((field) => isThere(field.type));
      const isUsed =
        type.kind === "object" ||
        [...types.values()].some((each) => each.kind === "object" && each.interfaces.includes(name));
      if (fields.length > 0 && isUsed) next.set(name, { ...type, interfaces, fields });
    } else next.set(name, type);
  }
  const text = (each: Types): string => JSON.stringify([...each.values()]);
  return text(next) === text(types) ? next : complete(next);
}

/** Returns the types reachable from the root types, which are those that a role sees. */
function reachable(types: Types): Types {
  const found = new Set(["Query", "Mutation"]);
  for (const name of found) for (const other of referred(types, name)) found.add(other);
  return new Map([...types].filter(([name]) => found.has(name)));
}

function* referred(types: Types, name: string): Iterable<string> {
  const type = types.get(name);
  if (type?.kind === "union") yield* type.members;
  if (type?.kind === "input") yield* type.fields.map((field) => nameIn(field.type));
  if (type?.kind !== "object" && type?.kind !== "interface") return;
  yield* type.interfaces;
  for (const field of type.fields) {
    yield nameIn(field.type);
    yield* field.args.map((argument) => nameIn(argument.type));
  }
  for (const other of types.values()) if (other.kind === "object" && other.interfaces.includes(name)) yield other.name;
}

function withPresets(choices: Choices, types: Types): Permission {
  const presets: Preset[] = [];
  const preset = (input: Input, place: Omit<Preset, "value" | "text">): void => {
    const value = presetFor(choices, input.type, types);
    if (value) presets.push({ ...place, ...value });
  };
  for (const type of types.values()) {
    if (type.kind === "input") {
      // At least one field stays, so that a valid value exists.
      for (const input of type.fields.slice(1))
        if (choices.chance(15)) preset(input, { type: type.name, field: input.name });
    } else if (type.kind === "object" && type.interfaces.length === 0) {
      for (const field of type.fields) {
        for (const input of field.args) {
          if (choices.chance(15)) preset(input, { type: type.name, field: field.name, argument: input.name });
        }
      }
    }
  }
  return { types, presets };
}

export const session: Readonly<Record<string, string>> = {
  "x-engine-text": "of the session",
  "x-engine-number": "17",
  "x-engine-flag": "true",
};

function presetFor(choices: Choices, type: string, types: Types): Pick<Preset, "value" | "text"> | undefined {
  const bare = type.replace(/!$/, "");
  const fromSession = choices.chance(50);
  const found = types.get(bare);
  if (found?.kind === "enum") return { value: found.values[0], text: found.values[0] ?? "" };
  switch (bare) {
    case "Int":
      return fromSession ? { value: 17, text: '"X-Engine-Number"' } : { value: 5, text: "5" };
    case "String":
    case "ID":
      return fromSession ? { value: "of the session", text: '"x-engine-text"' } : { value: "set", text: '"set"' };
    case "Boolean":
      return fromSession ? { value: true, text: '"x-engine-flag"' } : { value: false, text: "false" };
    default:
      return undefined;
  }
}
