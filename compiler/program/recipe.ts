/** Recipes for generated files, with the hash (slice) in their headers. */
import type { ModuleText } from "../4-emit/module-builder.ts";
import { hash } from "../catalog/canonical.ts";

export interface Recipe {
  /** The parts of the Analysis that the file depends on. */
  readonly inputs: () => unknown;
  readonly print: (inputs: unknown) => ModuleText;
}

/** Returns the recipe of a module that is lowered from its inputs and has the hash of its IR in its header. */
export function recipe<Inputs, Ir>(
  inputs: () => Inputs,
  lower: (inputs: Inputs) => Ir,
  emit: (ir: Ir, slice: string) => ModuleText,
): Recipe {
  return {
    inputs,
    print: (parts) => {
      const ir = lower(parts as Inputs);
      return emit(ir, hash(ir).slice(0, 8));
    },
  };
}
