/** Errors for undeclared variables and fragments, with a hint at the nearest declared name. */
import { EngineError } from "../../../values/errors.ts";
import { didYouMean } from "../../../values/nearest-name.ts";

/** Declarations of an operation, by name. */
type Declared<K extends string> = { readonly [key in K]: ReadonlyMap<string, unknown> };

export function unboundVariable({ variables }: Declared<"variables">, name: string, path: string): EngineError {
  return undeclared(`unbound variable "${name}"`, path, { name, known: variables });
}

export function undefinedFragment({ fragments }: Declared<"fragments">, name: string, path: string): EngineError {
  return undeclared(`reference to undefined fragment "${name}"`, path, { name, known: fragments });
}

interface Named {
  readonly name: string;
  readonly known: ReadonlyMap<string, unknown>;
}

function undeclared(message: string, path: string, { name, known }: Named): EngineError {
  const error = new EngineError("validation-failed", path, message);
  return error.withHint(() => didYouMean(name, known.keys()));
}
