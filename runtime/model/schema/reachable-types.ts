/** All types of a role's schema, found from its root types. */
import type { Interruptible } from "../../values/interruptible.ts";
import type { RoleSchema } from "./role-schema.ts";
import type { AbstractTypeDef, InputTypeDef, ObjectTypeDef, OutputField, OutputTypeDef } from "./types.ts";

export type TypeDef = InputTypeDef | OutputTypeDef;

export interface RootField {
  readonly kind: "root_field";
  readonly root: ObjectTypeDef;
  readonly name: string;
  readonly field: OutputField;
}

/** Number of steps between two interruptions. */
const stepsPerTurn = 16;

/**
 * Yields each type once, without introspection types, and `undefined` as an opportunity to interrupt. For root types,
 * it yields the fields, one at a time: the types below a field come before the next field, so that few types are
 * pending.
 */
export function* eachType({
  query,
  mutation,
  subscription,
}: RoleSchema): Generator<TypeDef | RootField | undefined, void> {
  const roots = [query, mutation, subscription].filter((root) => root !== null);
  const seen = new Set(roots.map(({ name }) => name));
  const pending: TypeDef[] = [];
  const visit = (type: TypeDef): void => {
    if (seen.has(type.name)) return;
    seen.add(type.name);
    pending.push(type);
  };
  const visitField = (field: OutputField): void => {
    visit(field.type());
    for (const argument of field.args().values()) visit(argument.type());
  };
  function* visitReferences(type: TypeDef): Generator<undefined, void> {
    let steps = 0;
    if (type.kind === "object" || type.kind === "interface") {
      for (const field of type.fields().values()) {
        visitField(field);
        if (++steps % stepsPerTurn === 0) yield;
      }
      for (const each of interfacesOf(type)) visit(each);
    }
    if (type.kind === "input") for (const field of type.fields().values()) visit(field.type());
    if (type.kind === "interface" || type.kind === "union") for (const each of type.types().values()) visit(each);
  }
  for (const root of roots) {
    for (const [name, field] of root.fields()) {
      yield { kind: "root_field", root, name, field };
      for (const type of [field.type(), ...Array.from(field.args().values(), (argument) => argument.type())]) {
        visit(type);
        for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
          yield next;
          yield* visitReferences(next);
        }
      }
    }
  }
}

/** Returns the types by name, without introspection types. */
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
