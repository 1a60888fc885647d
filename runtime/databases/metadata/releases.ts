/** Maps releases of the product to catalog versions, for `engine downgrade --to-v<release>`. */

/** The last entry is the current release. */
export const releases: ReadonlyMap<string, number> = new Map([["0.1.0", 12]]);

/** Steps of the tables for event triggers in sources, by kind. */
export interface SourceSteps {
  readonly postgres: number;
  readonly mssql: number;
}

/**
 * The last steps that versions with a catalog version support, from the first catalog version on for which they hold.
 * The last entry is current.
 */
const sourceSteps: readonly (readonly [catalogVersion: number, SourceSteps])[] = [
  [1, { postgres: 1, mssql: 1 }],
  [8, { postgres: 2, mssql: 1 }],
  [9, { postgres: 5, mssql: 2 }],
  [11, { postgres: 6, mssql: 2 }],
  [12, { postgres: 7, mssql: 3 }],
];

/** Returns the steps of sources that belong to a catalog version. */
export function sourceStepsOf(catalogVersion: number): SourceSteps {
  const steps = sourceSteps.findLast(([from]) => from <= catalogVersion)?.[1];
  return steps ?? { postgres: 1, mssql: 1 };
}
