/**
 * The remote server itself, and a separate server for the part that a role may see: both return the same generated
 * data, so that the role's results can be compared.
 */
import {
  buildSchema,
  execute,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  type GraphQLTypeResolver,
  parse,
  validate,
} from "graphql";
import { type Naming, nameIn, type Permission, type Preset, printTypes, type Types } from "./model.ts";

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly unknown[];
}

/** Returns a hash of a text. */
function hash(text: string): number {
  let value = 17;
  for (const character of text) value = (Math.imul(value, 31) + character.charCodeAt(0)) | 0;
  return Math.abs(value);
}

/** Types of generated values, by their names at the server. */
interface World {
  readonly types: Types;
  /** The types of objects. */
  readonly objects: Permission["types"];
}

interface Row {
  readonly seed: string;
  readonly type: string;
}

function made(world: World, type: string, seed: string): unknown {
  const bare = type.replace(/!$/, "");
  const number = hash(seed);
  if (type === bare && number % 7 === 0) return null;
  if (bare.startsWith("[")) {
    return Array.from({ length: number % 3 }, (_, i) => made(world, bare.slice(1, -1), `${seed}[${i}]`));
  }
  const found = world.objects.get(bare);
  switch (found?.kind) {
    case "enum":
      return found.values[number % found.values.length];
    case "object":
      return { seed, type: bare };
    case "union":
      return { seed, type: found.members[number % found.members.length] };
    case "interface": {
      const objects = [...world.objects.values()].filter(
        (each) => each.kind === "object" && each.interfaces.includes(bare),
      );
      return { seed, type: objects[number % objects.length]?.name };
    }
    default:
  }
  switch (bare) {
    case "Int":
      return number % 100;
    case "Float":
      return (number % 100) / 4;
    case "Boolean":
      return number % 2 === 0;
    case "Anything":
      return [number % 5, { of: "anything" }, "text"][number % 3];
    default:
      return `text "${number % 1000}" \\`;
  }
}

const seedOf = (row: Row | undefined, type: string, field: string, args: unknown): string =>
  `${row?.seed ?? ""}/${type}.${field}(${JSON.stringify(sorted(args))})`;

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}

export interface Server {
  readonly schema: GraphQLSchema;
  answer(query: string, variables: Readonly<Record<string, unknown>>): Answer;
}

function server(
  schema: GraphQLSchema,
  fieldResolver: GraphQLFieldResolver<Row, unknown>,
  typeResolver: GraphQLTypeResolver<Row, unknown>,
): Server {
  return {
    schema,
    answer(query, variables) {
      const document = parse(query);
      const errors = validate(schema, document);
      if (errors.length > 0) return { errors };
      const result = execute({ schema, document, variableValues: variables, fieldResolver, typeResolver });
      if (result instanceof Promise) throw new Error("nothing here waits");
      return JSON.parse(JSON.stringify(result)) as Answer;
    },
  };
}

/** Returns the complete server. @param permission defines the types of values that the role needs */
export function upstream(types: Types, permission: Permission): Server {
  const world = { types, objects: permission.types };
  return server(
    buildSchema(printTypes(types)),
    (row, args, _context, { parentType: { name }, fieldName }) => {
      const type = fieldType(types, name, fieldName);
      return made(world, type, seedOf(row, name, fieldName, args));
    },
    ({ type }) => type,
  );
}

/** Returns a server with the types that the role sees, with their names in the engine. */
export function permitted(types: Types, permission: Permission, naming: Naming): Server {
  const world = { types, objects: permission.types };
  const { presets } = permission;
  const typeThere = new Map([...permission.types.keys()].map((name) => [naming.type(name), name]));
  const fieldThere = (type: string, field: string): string => {
    const found = permission.types.get(type);
    const fields = found?.kind === "object" ? found.fields : [];
    return fields.find((each) => naming.field(type, each.name) === field)?.name ?? field;
  };
  return server(
    buildSchema(printTypes(permission.types, { naming, presets, preset: "left out" })),
    (row, args, _context, { parentType, fieldName }) => {
      const owner = typeThere.get(parentType.name) ?? parentType.name;
      const field = fieldThere(owner, fieldName);
      const given = withPresets(args, types, permission, owner, field);
      return made(world, fieldType(types, owner, field), seedOf(row, owner, field, given));
    },
    ({ type }) => naming.type(type),
  );
}

function fieldType(types: Types, owner: string, field: string): string {
  const type = types.get(owner);
  if (type?.kind !== "object") throw new GraphQLError(`${owner} is no object type`);
  return type.fields.find(({ name }) => name === field)?.type ?? "";
}

/**
 * Returns the arguments that the server receives: with presets, and with its own defaults for arguments that the role
 * cannot pass.
 */
function withPresets(args: object, types: Types, { presets }: Permission, owner: string, field: string): unknown {
  const type = types.get(owner);
  const known = type?.kind === "object" ? (type.fields.find(({ name }) => name === field)?.args ?? []) : [];
  const given: Record<string, unknown> = { ...args };
  for (const { name, type: argument, default: standard } of known) {
    const preset = presets.find((each) => each.type === owner && each.field === field && each.argument === name);
    if (preset) given[name] = preset.value;
    else if (name in given) given[name] = inside(given[name], argument, types, presets);
    else if (standard !== undefined) given[name] = JSON.parse(standard);
  }
  return given;
}

function inside(value: unknown, type: string, types: Types, presets: readonly Preset[]): unknown {
  if (Array.isArray(value)) {
    const item = type.replace(/!$/, "").slice(1, -1);
    return value.map((each) => inside(each, item, types, presets));
  }
  const input = types.get(nameIn(type));
  if (input?.kind !== "input" || typeof value !== "object" || value === null) return value;
  const given: Record<string, unknown> = { ...value };
  for (const { name, type: field, default: standard } of input.fields) {
    const preset = presets.find((each) => each.type === input.name && each.field === name);
    if (preset) given[name] = preset.value;
    else if (name in given) given[name] = inside(given[name], field, types, presets);
    else if (standard !== undefined) given[name] = JSON.parse(standard);
  }
  return given;
}
