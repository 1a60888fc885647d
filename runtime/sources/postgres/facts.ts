/**
 * What PostgreSQL says of the tables of a database, as facts to compare with those of a Shape
 * (`compiler/1-introspect/shape-facts.ts`). One statement; reads `pg_catalog` alone, which every role may.
 */
import type { DatabaseFact } from "../../support/database-fact.ts";
import { invariant } from "../../support/errors.ts";
import type { TextRow } from "../source.ts";

/** Rows of schema, table, part, name, value, and whether it is optional (`t` or `f`). */
export const factsStatement = `WITH relation AS (
  SELECT c.oid, n.nspname, c.relname, c.relkind
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND pg_catalog.left(n.nspname, 3) <> 'pg_'
    AND n.nspname NOT IN ('information_schema', 'engine_catalog')
)
SELECT nspname::text, relname::text, 'table', NULL,
  CASE relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned_table' WHEN 'v' THEN 'view'
    WHEN 'm' THEN 'materialized_view' ELSE 'foreign_table' END, 'f'
FROM relation
UNION ALL
SELECT r.nspname, r.relname, 'column', a.attname,
  s.nspname || '.' || t.typname
    || CASE WHEN t.typtype = 'd' THEN '' WHEN a.attnotnull THEN ' not null' ELSE ' null' END
    || CASE WHEN a.attidentity = 'a' THEN ' identity always' WHEN a.attidentity <> '' THEN ' identity by_default'
      WHEN pg_catalog.to_jsonb(a)->>'attgenerated' <> '' THEN ' generated' ELSE '' END,
  CASE WHEN a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' THEN 'f' ELSE 't' END
FROM relation r JOIN pg_catalog.pg_attribute a ON a.attrelid = r.oid
  JOIN pg_catalog.pg_type t ON t.oid = a.atttypid JOIN pg_catalog.pg_namespace s ON s.oid = t.typnamespace
WHERE a.attnum > 0 AND NOT a.attisdropped
UNION ALL
SELECT r.nspname, r.relname, 'key', k.conname,
  k.contype::pg_catalog.text || ' ' || (SELECT pg_catalog.string_agg(a.attname, ', ' ORDER BY c.place)
    FROM pg_catalog.unnest(k.conkey) WITH ORDINALITY AS c (number, place)
      JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = c.number), 't'
FROM relation r JOIN pg_catalog.pg_constraint k ON k.conrelid = r.oid
WHERE k.contype IN ('p', 'u')`;

export function factOf([schema, table, part, name, value, optional]: TextRow): DatabaseFact {
  invariant(schema && table && part && value, "the catalogue names its objects");
  const parts = name === null || name === undefined ? [part] : [part, name];
  return { table: [schema, table], part: parts, value, ...(optional === "t" && { isOptional: true }) };
}
