/** How a remote schema is named here (`automation.md` E.4). What is not in the maps keeps its upstream name. */
export interface RemoteNames {
  /** The field that all root fields stand under. */
  readonly namespace?: string;
  /** Root fields of queries that are not given here, by their upstream names. */
  readonly leftOut?: ReadonlySet<string>;
  /** By the upstream name of the type. */
  readonly types: ReadonlyMap<string, string>;
  /** By the upstream names of an object or interface type and its field. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
}
