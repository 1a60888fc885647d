/** Shapes that another process of the server has read. */

/** A Shape, and what it was read of: elsewhere, or of another configuration, it says nothing. */
export interface OfferedShape<S> {
  readonly key: string;
  readonly shape: S;
}

/** By the name of a source or remote schema. */
export type OfferedShapes<S> = ReadonlyMap<string, OfferedShape<S>>;

export const nothingOffered: OfferedShapes<never> = new Map();
