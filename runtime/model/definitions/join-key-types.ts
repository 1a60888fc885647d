/**
 * Compares the types of join keys in two sources, to decide whether equal values have equal texts on both sides. The
 * decision is made when a statement is planned; keys of equal types need no conversion.
 */
import type { ScalarType } from "./scalar-type.ts";

/** Bits of integer types, by name in any database kind. */
const bits: Readonly<Record<string, number>> = {
  ...{ tinyint: 8, int2: 16, smallint: 16, int4: 32, int: 32, integer: 32, int8: 64, bigint: 64 },
};

const bitsOf = ({ cast }: ScalarType): number | undefined => (Object.hasOwn(bits, cast) ? bits[cast] : undefined);

/** A range of integers; `min` is inclusive, `end` exclusive. */
export interface WholeRange {
  readonly min: bigint;
  readonly end: bigint;
  /** Keys may have fractions. */
  readonly hasFractions: boolean;
}

/** Returns the range of an integer type if keys of another type may be outside it, else `undefined`. */
export function wholeRange(to: ScalarType, from: ScalarType | undefined): WholeRange | undefined {
  const own = bitsOf(to);
  if (own === undefined || from === undefined || from.graphql === "money") return undefined;
  const given = bitsOf(from);
  if (given === undefined ? !from.numeric : given <= own) return undefined;
  const half = 2n ** BigInt(own - 1);
  // SQL Server's tinyint is unsigned.
  const [min, end] = own === 8 ? [0n, 256n] : [-half, half];
  return { min, end, hasFractions: given === undefined };
}

/** Returns true for binary floating-point types. */
export const isFloat = ({ cast }: ScalarType): boolean => /^(?:float|real)/.test(cast);

/** Returns true for types with insignificant trailing blanks. */
export const isPadded = ({ graphql, cast }: ScalarType): boolean => graphql === "bpchar" || /^n?char\b/.test(cast);
