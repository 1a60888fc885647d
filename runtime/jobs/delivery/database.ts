/** The subset of the metadata database that automation uses. */
export interface AutomationDatabase {
  /** Runs one statement. Timestamps are returned as `Date`. */
  query(text: string, values: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Returns `null` for the clock of the database. Tests return an ISO 8601 timestamp. */
  time(): string | null;
}
