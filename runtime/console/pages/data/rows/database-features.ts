/** Features of rows that differ between kinds of databases. */

interface DatabaseFeatures {
  /** The database sorts null before other values in ascending order. */
  readonly sortsNullFirst: boolean;
  /** Rows can be read with the permissions of another role. */
  readonly viewsAsRole: boolean;
  /** An insert can keep or update a row with the same primary key. */
  readonly upserts: boolean;
}

const features: Readonly<Record<string, DatabaseFeatures>> = {
  mssql: { sortsNullFirst: true, viewsAsRole: false, upserts: false },
};

const usual: DatabaseFeatures = { sortsNullFirst: false, viewsAsRole: true, upserts: true };

export const featuresOf = (kind: string): DatabaseFeatures => features[kind] ?? usual;
