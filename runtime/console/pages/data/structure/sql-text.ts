/** The part of SQL that differs between kinds of databases: names, literals, and forms of statements. */
import type { QualifiedName } from "../../../http/metadata-types.ts";

export interface ColumnDefinition {
  readonly name: string;
  /** SQL type. */
  readonly type: string;
  readonly isNullable: boolean;
  /** Default value as SQL; empty for none. */
  readonly initial: string;
  /** True if the database numbers the rows. */
  readonly isIdentity: boolean;
  /** Empty for none. */
  readonly comment: string;
}

/** A change of one member of a column, from one value to another. */
export interface ColumnChange {
  readonly table: QualifiedName;
  readonly before: ColumnDefinition;
  readonly after: ColumnDefinition;
}

export interface SqlText {
  /** Returns a quoted name. */
  readonly name: (name: string) => string;
  readonly literal: (text: string) => string;
  /** Clause of a column whose values the database numbers. */
  readonly identity: string;
  /** Default that generates a UUID. */
  readonly uuid: { readonly type: string; readonly initial: string };
  /** Type of texts that can be a key. */
  readonly keyText: string;
  /** Common types; the first is the default. */
  readonly types: readonly string[];
  /** Actions of a foreign key for deleted and updated rows; the first is the default. */
  readonly actions: readonly string[];
  readonly methods: readonly string[];
  /** Keyword before the definition of an added column. */
  readonly add: string;
  /** End of a statement that drops dependent objects of the database too; empty if there is none. */
  readonly cascade: string;
  readonly renameTable: (table: QualifiedName, to: string) => string;
  readonly renameColumn: (table: QualifiedName, from: string, to: string) => string;
  /** Both use the names and nullability of `after`. */
  readonly retype: (change: ColumnChange) => string;
  readonly setNullable: (change: ColumnChange) => string;
  readonly setDefault: (change: ColumnChange) => string;
  /** Statement that removes what prevents a column from being dropped; empty if nothing does. */
  readonly beforeDropColumn: (table: QualifiedName, column: string) => string;
  readonly commentOnTable: (table: QualifiedName, comment: string) => string;
  readonly commentOnColumn: (table: QualifiedName, column: string, comment: string) => string;
  readonly createIndex: (index: NewIndex) => string;
  /** Statement that creates an index by its definition in the description of a table. */
  readonly recreateIndex: (table: QualifiedName, name: string, definition: string) => string;
  readonly dropIndex: (table: QualifiedName, name: string) => string;
  /**
   * Query whose rows have the columns `section`, `name`, `first`, `second`, `third`: of columns the type, the default and
   * the form of generation, of constraints the type and the definition. Missing values are empty texts.
   */
  readonly factsQuery: (table: QualifiedName) => string;
  /** Query whose rows have the columns `name`, `bytes` and `uses` of each index. */
  readonly usageQuery: (table: QualifiedName) => string;
  /** Query with one column, the names of types that users have created; empty if there is none. */
  readonly typesQuery: string;
}

export interface NewIndex {
  readonly table: QualifiedName;
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly isDescending: boolean }[];
  readonly isUnique: boolean;
  /** Access method, such as `btree`. */
  readonly method: string;
  /** Condition as SQL of a partial index; empty for none. */
  readonly where: string;
}
