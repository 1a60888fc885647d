/** Customised names of a remote schema. Names without an entry are kept. */
export interface RemoteNames {
  /** Namespace field above all root fields. */
  readonly namespace?: string;
  /** Query root fields that are not exposed, by upstream name. */
  readonly leftOut?: ReadonlySet<string>;
  /** By upstream type name. */
  readonly types: ReadonlyMap<string, string>;
  /** By upstream name of an object or interface type and its field. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
}
