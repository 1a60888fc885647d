/** Serialises an access to the text of a file, and parses it. Types that roles share are written once. */
import { canonicalJson } from "../../runtime/values/canonical-json.ts";
import type { Access, ByName, RoleAccess, SchemaAccess, TypeAccess } from "./model.ts";

type Schemas = "schema" | "backendSchema" | "relaySchema";

/** A role with type numbers instead of types. */
type StoredRole = Omit<RoleAccess, Schemas> & { readonly [key in Schemas]: ByName<number> };

interface StoredAccess extends Omit<Access, "roles"> {
  readonly roles: ByName<StoredRole>;
  readonly types: readonly TypeAccess[];
}

/** Returns the text of an access; equal accesses have equal texts. */
export function accessText(access: Access): string {
  const numbers = new Map<string, number>();
  const types: TypeAccess[] = [];
  const numberOf = (type: TypeAccess): number => {
    const key = canonicalJson(type);
    const number = numbers.get(key) ?? types.push(type) - 1;
    numbers.set(key, number);
    return number;
  };
  const stored: StoredAccess = {
    ...access,
    roles: mapMembers(access.roles, (role) => ({
      ...role,
      schema: mapMembers(role.schema, numberOf),
      backendSchema: mapMembers(role.backendSchema, numberOf),
      relaySchema: mapMembers(role.relaySchema, numberOf),
    })),
    types,
  };
  return `${canonicalJson(stored)}\n`;
}

/**
 * Parses the text of an access file. Returns `undefined` for another format version. Does not validate the text, which
 * is assumed to come from `accessText`.
 */
export function parseAccess(text: string): Access | undefined {
  const { types, ...stored } = JSON.parse(text) as StoredAccess;
  if (stored.format !== 1) return undefined;
  const schemaOf = (numbers: ByName<number>): SchemaAccess =>
    mapMembers(numbers, (number) => types[number] ?? { kind: "scalar", members: {} });
  return {
    ...stored,
    roles: mapMembers(stored.roles, (role) => ({
      ...role,
      schema: schemaOf(role.schema),
      backendSchema: schemaOf(role.backendSchema),
      relaySchema: schemaOf(role.relaySchema),
    })),
  };
}

function mapMembers<From, To>(members: ByName<From>, change: (member: From) => To): ByName<To> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));
}
