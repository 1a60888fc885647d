/** SQL of a migration or a seed, and the file that it was read from. */
export interface SqlFile {
  readonly path: string;
  readonly sql: string;
}
