/** SQL of a migration or a seed, with its file. */
export interface SqlFile {
  readonly path: string;
  readonly sql: string;
}
