/** Table and function names, whose default schema depends on the source kind, and facts about source kinds. */

import * as z from "zod";
import type { QualifiedName, SourceKind } from "../model.ts";
import { choose, object } from "./combinators.ts";
import { nonEmptyText } from "./scalars.ts";

/** Facts about a source kind in the metadata format. */
export interface SourceKindFacts {
  /** Aliases of the kind. Prefixed operation names start with the kind or an alias. */
  readonly aliases: readonly string[];
  readonly defaultSchema: string;
  /** Default of `trigger_on_replication` of an event trigger. */
  readonly triggerOnReplication: boolean;
}

export const sourceKinds: Readonly<Record<SourceKind, SourceKindFacts>> = {
  postgres: { aliases: ["pg"], defaultSchema: "public", triggerOnReplication: false },
  mssql: { aliases: [], defaultSchema: "dbo", triggerOnReplication: true },
};

/** Kind of a source without `kind`, and of the source in metadata of versions 1 and 2. */
export const defaultSourceKind: SourceKind = "postgres";

/** Returns the kind with this name or alias, or `undefined`. */
export function sourceKindNamed(name: string): SourceKind | undefined {
  for (const [kind, facts] of Object.entries(sourceKinds) as [SourceKind, SourceKindFacts][]) {
    if (kind === name || facts.aliases.includes(name)) return kind;
  }
  return undefined;
}

/** Returns the schema of a table name: `"t"` or `{name, schema?}`. */
export function tableName(defaultSchema: string): z.ZodType<QualifiedName> {
  const short = nonEmptyText.transform((name): QualifiedName => ({ schema: defaultSchema, name }));
  const long = object({
    about: { name: "Name in the database.", schema: "Schema in the database." },
    required: { name: nonEmptyText },
    defaulted: { schema: z.string().default(defaultSchema) },
  });
  return choose<QualifiedName>(
    () => [short, long],
    (input) => (typeof input === "string" ? short : long),
  );
}

/** A function name, which has the form of a table name. */
export const functionName = tableName;

/** Prints a table or function name for messages, without the default schema. */
export function printName(name: QualifiedName, defaultSchema: string): string {
  return name.schema === defaultSchema ? name.name : `${name.schema}.${name.name}`;
}
