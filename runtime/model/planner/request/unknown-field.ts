import { EngineError } from "../../../values/errors.ts";

interface FieldsOwner {
  readonly name: string;
  fields(): ReadonlyMap<string, unknown>;
}

/** Returns the error for a field that the type does not have in the role's schema. */
export function unknownField(path: string, field: string, type: FieldsOwner): EngineError {
  const message = `field '${field}' not found in type: '${type.name}'`;
  const fault = { kind: "unknown_field", field, type: type.name, known: () => type.fields().keys() } as const;
  return new EngineError("validation-failed", path, message, { fault });
}

/**
 * Returns the error for an unknown argument.
 * @param known arguments of the field, by name
 * @param type name of the field's type, if known
 */
export function unknownArgument(
  path: string,
  field: string,
  argument: string,
  known: ReadonlyMap<string, unknown>,
  type?: string,
): EngineError {
  const message = `'${field}' has no argument named '${argument}'`;
  const fault = { kind: "unknown_argument", argument, field, type, known: () => known.keys() } as const;
  return new EngineError("validation-failed", path, message, { fault });
}
