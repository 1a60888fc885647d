/** Every type of a role's schema: those that can be reached from its roots. */
import type { Interruptible } from "../values/interruptible.ts";
import type { RoleSchema } from "./role-schema.ts";
import type { AbstractTypeDef, InputTypeDef, ObjectTypeDef, OutputTypeDef } from "./types.ts";

export type TypeDef = InputTypeDef | OutputTypeDef;

/** By name, without the types of introspection. */
export function* reachableTypes(role: RoleSchema): Interruptible<ReadonlyMap<string, TypeDef>> {
  const types = new Map<string, TypeDef>();
  for (const root of [role.query, role.mutation, role.subscription]) if (root !== null) types.set(root.name, root);
  // Types that are added on the way are visited, too.
  for (const type of types.values()) {
    for (const referred of referredTypes(type)) {
      if (!types.has(referred.name)) types.set(referred.name, referred);
      yield;
    }
    yield;
  }
  return types;
}

function* referredTypes(type: TypeDef): Iterable<TypeDef> {
  if (type.kind === "object" || type.kind === "interface") {
    for (const [, field] of type.fields()) {
      yield field.type();
      for (const argument of field.args().values()) yield argument.type();
    }
  } else if (type.kind === "input") {
    for (const field of type.fields().values()) yield field.type();
  }
  if (type.kind === "object" || type.kind === "interface") yield* interfacesOf(type);
  if (type.kind === "interface" || type.kind === "union") yield* type.types().values();
}

export const interfacesOf = (type: ObjectTypeDef | AbstractTypeDef): readonly AbstractTypeDef[] =>
  type.interfaces?.() ?? [];
