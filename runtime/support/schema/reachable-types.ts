/** Every type of a role's schema: those that can be reached from its roots. */
import type { RoleSchema } from "./role-schema.ts";
import type { AbstractTypeDef, InputTypeDef, ObjectTypeDef, OutputField, OutputTypeDef } from "./types.ts";

export type TypeDef = InputTypeDef | OutputTypeDef;

/** By name, without the types of introspection. */
export function reachableTypes({ query, mutation, subscription }: RoleSchema): ReadonlyMap<string, TypeDef> {
  const types = new Map<string, TypeDef>();
  const meet = (type: TypeDef): void => {
    if (!types.has(type.name)) types.set(type.name, type);
  };
  for (const root of [query, mutation, subscription]) if (root !== null) meet(root);
  // Types that are added on the way are visited, too.
  for (const type of types.values()) {
    if (type.kind === "object" || type.kind === "interface") {
      for (const field of shownFields(type).values()) {
        meet(field.type());
        for (const argument of field.args().values()) meet(argument.type());
      }
    } else if (type.kind === "input") {
      for (const field of type.fields().values()) meet(field.type());
    }
    if (type.kind === "object") for (const general of interfacesOf(type)) meet(general);
    if (type.kind === "interface" || type.kind === "union") for (const object of type.types().values()) meet(object);
  }
  return types;
}

export const interfacesOf = (type: ObjectTypeDef): readonly AbstractTypeDef[] => type.interfaces?.() ?? [];

/** `__schema` and `__type` are in every schema and shown in none. */
export function shownFields(type: ObjectTypeDef | AbstractTypeDef): ReadonlyMap<string, OutputField> {
  return new Map([...type.fields()].filter(([, { meta }]) => meta.kind !== "introspection"));
}
