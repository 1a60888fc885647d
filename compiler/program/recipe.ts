/** How one file is made. */
import { hash } from "../catalog/canonical.ts";

export interface Recipe {
  /** The parts of the Analysis that the file depends on. */
  readonly inputs: () => unknown;
  readonly text: (inputs: unknown) => string;
}

/** A module: lowered from its inputs, with the hash of its IR in its header. */
export function recipe<Inputs, Ir>(
  inputs: () => Inputs,
  lower: (inputs: Inputs) => Ir,
  emit: (ir: Ir, slice: string) => string,
): Recipe {
  return {
    inputs,
    text: (parts) => {
      const ir = lower(parts as Inputs);
      return emit(ir, hash(ir).slice(0, 8));
    },
  };
}
