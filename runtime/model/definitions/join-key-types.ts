/**
 * What the types on both sides of a join between sources say of its keys: whether the text of a key on the left is that
 * of the same value on the right. Known when a statement is planned; keys of equal types need nothing.
 */
import type { ScalarType } from "./scalar-type.ts";

/** Bits of the types of whole numbers, by name in either kind of database. */
const bits: Readonly<Record<string, number>> = {
  ...{ tinyint: 8, int2: 16, smallint: 16, int4: 32, int: 32, integer: 32, int8: 64, bigint: 64 },
};

const bitsOf = ({ cast }: ScalarType): number | undefined => (Object.hasOwn(bits, cast) ? bits[cast] : undefined);

/** A range of whole numbers: from `least`, and below `end`. */
export interface WholeRange {
  readonly least: bigint;
  readonly end: bigint;
  /** Whether keys may hold fractions. */
  readonly hasFractions: boolean;
}

/** Returns the values of a type of whole numbers that keys of another type may lie outside of; `undefined` if none can. */
export function wholeRange(to: ScalarType, from: ScalarType | undefined): WholeRange | undefined {
  const own = bitsOf(to);
  if (own === undefined || from === undefined || from.graphql === "money") return undefined;
  const given = bitsOf(from);
  if (given === undefined ? !from.numeric : given <= own) return undefined;
  const half = 2n ** BigInt(own - 1);
  // SQL Server's tinyint has no sign.
  const [least, end] = own === 8 ? [0n, 256n] : [-half, half];
  return { least, end, hasFractions: given === undefined };
}

/** Whether a type counts digits after a binary point. */
export const isFloat = ({ cast }: ScalarType): boolean => /^(?:float|real)/.test(cast);

/** Whether a type fills its values with blanks that mean nothing. */
export const isPadded = ({ graphql, cast }: ScalarType): boolean => graphql === "bpchar" || /^n?char\b/.test(cast);
