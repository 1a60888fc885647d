/** A shape that another worker of the server has read. */
export interface ImportedShape<S> {
  /** Key of the configuration with which the shape was read. The shape is valid only for that configuration. */
  readonly key: string;
  readonly shape: S;
}

/** Shapes by the name of a source or remote schema. */
export type ImportedShapes<S> = ReadonlyMap<string, ImportedShape<S>>;

export const noImportedShapes: ImportedShapes<never> = new Map();
