/** Features of rows and SQL that differ between kinds of databases. */

interface DatabaseFeatures {
  /** The database sorts null before other values in ascending order. */
  readonly sortsNullFirst: boolean;
  /** Rows can be read with the permissions of another role. */
  readonly viewsAsRole: boolean;
  /** An insert can keep or update a row with the same primary key. */
  readonly upserts: boolean;
  /** SQL can run statement by statement instead of in one transaction. */
  readonly runsSingleStatements: boolean;
}

const features: Readonly<Record<string, DatabaseFeatures>> = {
  mssql: { sortsNullFirst: true, viewsAsRole: false, upserts: false, runsSingleStatements: false },
};

const usual: DatabaseFeatures = { sortsNullFirst: false, viewsAsRole: true, upserts: true, runsSingleStatements: true };

export const featuresOf = (kind: string): DatabaseFeatures => features[kind] ?? usual;
