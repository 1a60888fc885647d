/** Table and function names, whose default schema depends on the kind of database, and the facts about kinds that metadata needs. */

import * as z from "zod";
import type { QualifiedName, SourceKind } from "../model.ts";
import { choose, object } from "./combinators.ts";
import { nonEmptyText } from "./scalars.ts";

/** What the metadata format itself says about a kind of source (`metadata-api.md` 1.11, 5.2, 5.4). */
export interface SourceKindFacts {
  /** Other spellings of the kind; the first part of operation names is one of them or the kind. */
  readonly aliases: readonly string[];
  readonly defaultSchema: string;
  /** `trigger_on_replication` of an event trigger that does not say. */
  readonly triggerOnReplication: boolean;
}

export const sourceKinds: Readonly<Record<SourceKind, SourceKindFacts>> = {
  postgres: { aliases: ["pg"], defaultSchema: "public", triggerOnReplication: false },
  mssql: { aliases: [], defaultSchema: "dbo", triggerOnReplication: true },
};

/** The kind of a source that does not name one, and of the sources that metadata of versions 1 and 2 describes. */
export const defaultSourceKind: SourceKind = "postgres";

/** The kind with this name or alias. */
export function sourceKindNamed(name: string): SourceKind | undefined {
  for (const [kind, facts] of Object.entries(sourceKinds) as [SourceKind, SourceKindFacts][]) {
    if (kind === name || facts.aliases.includes(name)) return kind;
  }
  return undefined;
}

/** `"t"` or `{name, schema?}`; the default schema is that of the kind of database. */
export function tableName(defaultSchema: string): z.ZodType<QualifiedName> {
  const short = nonEmptyText.transform((name): QualifiedName => ({ schema: defaultSchema, name }));
  const long = object({
    required: { name: nonEmptyText },
    defaulted: { schema: z.string().default(defaultSchema) },
  });
  return choose<QualifiedName>((input) => (typeof input === "string" ? short : long));
}

/** Function names have the same form as table names. */
export const functionName = tableName;

/** How messages print a table or function: without the default schema. */
export function printName(name: QualifiedName, defaultSchema: string): string {
  return name.schema === defaultSchema ? name.name : `${name.schema}.${name.name}`;
}
