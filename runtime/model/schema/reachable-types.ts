/** Every type of a role's schema: those that can be reached from its roots. */
import type { Interruptible } from "../../values/interruptible.ts";
import type { RoleSchema } from "./role-schema.ts";
import type { AbstractTypeDef, InputTypeDef, ObjectTypeDef, OutputField, OutputTypeDef } from "./types.ts";

export type TypeDef = InputTypeDef | OutputTypeDef;

/** A field of a root type. */
export interface RootField {
  readonly kind: "root_field";
  readonly root: ObjectTypeDef;
  readonly name: string;
  readonly field: OutputField;
}

/** Steps until others may have their turn. */
const stepsAtOnce = 16;

/**
 * Each type once, without those of introspection, and `undefined` where others may have their turn. Of root types come
 * the fields, one by one: what a field leads to comes before the next one, so that few types wait at a time.
 */
export function* eachType({
  query,
  mutation,
  subscription,
}: RoleSchema): Generator<TypeDef | RootField | undefined, void> {
  const roots = [query, mutation, subscription].filter((root) => root !== null);
  const met = new Set(roots.map(({ name }) => name));
  const waiting: TypeDef[] = [];
  const meet = (type: TypeDef): void => {
    if (met.has(type.name)) return;
    met.add(type.name);
    waiting.push(type);
  };
  const meetField = (field: OutputField): void => {
    meet(field.type());
    for (const argument of field.args().values()) meet(argument.type());
  };
  function* meetReferred(type: TypeDef): Generator<undefined, void> {
    let steps = 0;
    if (type.kind === "object" || type.kind === "interface") {
      for (const field of type.fields().values()) {
        meetField(field);
        if (++steps % stepsAtOnce === 0) yield;
      }
      for (const each of interfacesOf(type)) meet(each);
    }
    if (type.kind === "input") for (const field of type.fields().values()) meet(field.type());
    if (type.kind === "interface" || type.kind === "union") for (const each of type.types().values()) meet(each);
  }
  for (const root of roots) {
    for (const [name, field] of root.fields()) {
      yield { kind: "root_field", root, name, field };
      for (const type of [field.type(), ...Array.from(field.args().values(), (argument) => argument.type())]) {
        meet(type);
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
          yield next;
          yield* meetReferred(next);
        }
      }
    }
  }
}

/** By name, without the types of introspection. */
export function* reachableTypes(role: RoleSchema): Interruptible<ReadonlyMap<string, TypeDef>> {
  const types = new Map<string, TypeDef>();
  for (const type of eachType(role)) {
    if (type?.kind === "root_field") types.set(type.root.name, type.root);
    else if (type !== undefined) types.set(type.name, type);
    yield;
  }
  return types;
}

export const interfacesOf = (type: ObjectTypeDef | AbstractTypeDef): readonly AbstractTypeDef[] =>
  type.interfaces?.() ?? [];
