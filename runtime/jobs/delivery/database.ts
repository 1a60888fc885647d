/** What automation needs of the metadata database. */
export interface AutomationDatabase {
  /** One statement; times are read as dates. */
  query(text: string, values: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** `null`: the time of the database; tests give another, in ISO 8601. */
  time(): string | null;
}
