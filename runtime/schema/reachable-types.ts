/** Every type of a role's schema: those that can be reached from its roots. */
import type { Interruptible } from "../values/interruptible.ts";
import type { RoleSchema } from "./role-schema.ts";
import type { AbstractTypeDef, InputTypeDef, ObjectTypeDef, OutputTypeDef } from "./types.ts";

export type TypeDef = InputTypeDef | OutputTypeDef;

/**
 * Each type once, without those of introspection, and `undefined` where others may have their turn. What a root field
 * leads to comes before what the next one does, so that few types wait at a time.
 */
export function* eachType({ query, mutation, subscription }: RoleSchema): Generator<TypeDef | undefined, void> {
  const roots = [query, mutation, subscription].filter((root) => root !== null);
  const met = new Set(roots.map(({ name }) => name));
  const waiting: TypeDef[] = [];
  const meet = (types: Iterable<TypeDef>): void => {
    for (const type of types) {
      if (met.has(type.name)) continue;
      met.add(type.name);
      waiting.push(type);
    }
  };
  for (const root of roots) {
    yield root;
    for (const type of referredTypes(root)) {
      meet([type]);
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        yield next;
        meet(referredTypes(next));
      }
      yield undefined;
    }
  }
}

/** By name, without the types of introspection. */
export function* reachableTypes(role: RoleSchema): Interruptible<ReadonlyMap<string, TypeDef>> {
  const types = new Map<string, TypeDef>();
  for (const type of eachType(role)) {
    if (type !== undefined) types.set(type.name, type);
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
