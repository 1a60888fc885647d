/** Members of the types of a schema by name: of the schema that a role uses, or of one in an access file. */
import type { RoleSchema } from "../../runtime/model/schema/role-schema.ts";
import type { InputField, InputTypeDef, OutputField, OutputTypeDef } from "../../runtime/model/schema/types.ts";
import type { ByName, MemberAccess, SchemaAccess } from "./model.ts";
import type { RootOperation } from "./root-owner.ts";

/** Fields of a type, or arguments of a field. */
export interface Members {
  names(): readonly string[];
  get(name: string): Member | undefined;
}

export interface Member {
  /** Members of the type of the field or argument. */
  readonly members: Members;
  readonly arguments: Members;
}

export type ReadRoots = (operation: RootOperation) => Members;

export const noMembers: Members = { names: () => [], get: () => undefined };

// The schema of a role.

export const rootsOfSchema =
  (schema: RoleSchema): ReadRoots =>
  (operation) => {
    const type = schema[operation];
    return type === null ? noMembers : outputMembers(type);
  };

function outputMembers(type: OutputTypeDef): Members {
  return "fields" in type ? mapped(type.fields, outputMember) : noMembers;
}

const outputMember = ({ type, args }: OutputField): Member => ({
  get members() {
    return outputMembers(type());
  },
  arguments: mapped(args, inputMember),
});

const inputMember = ({ type }: InputField): Member => ({
  get members() {
    return inputMembers(type());
  },
  arguments: noMembers,
});

function inputMembers(type: InputTypeDef): Members {
  return type.kind === "input" ? mapped(type.fields, inputMember) : noMembers;
}

function mapped<T>(fields: () => ReadonlyMap<string, T>, memberOf: (field: T) => Member): Members {
  return {
    names: () => [...fields().keys()],
    get: (name) => {
      const found = fields().get(name);
      return found && memberOf(found);
    },
  };
}

// A schema of an access file.

export const rootsOfAccess =
  (types: SchemaAccess): ReadRoots =>
  (operation) =>
    membersOfType(types, `${operation}_root`);

function membersOfType(types: SchemaAccess, name: string): Members {
  const type = Object.hasOwn(types, name) ? types[name] : undefined;
  const hasMembers = type !== undefined && type.kind !== "enum" && type.kind !== "union";
  return hasMembers ? namedMembers(type.members, (member) => memberOfType(types, member)) : noMembers;
}

function memberOfType(types: SchemaAccess, { type = "", arguments: given = {} }: MemberAccess): Member {
  return {
    get members() {
      return membersOfType(types, namedType(type));
    },
    arguments: namedMembers(given, (text) => memberOfType(types, { type: text })),
  };
}

/** Returns the name in a type of SDL, with or without a default value: `author` of `[author!]!`. */
export const namedType = (text: string): string => /\w+/.exec(text)?.[0] ?? "";

function namedMembers<T>(members: ByName<T>, memberOf: (value: T) => Member): Members {
  return {
    names: () => Object.keys(members),
    get: (name) => (Object.hasOwn(members, name) ? memberOf(members[name] as T) : undefined),
  };
}
