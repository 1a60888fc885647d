/**
 * Reads the tables and functions of a PostgreSQL database as facts, to compare with those of a shape
 * (`compiler/shape/shape-facts.ts`). Uses one statement, which reads only `pg_catalog`, so that every role can run it.
 */

import { quoteIdentifier } from "../../../model/dialects/postgres/quote.ts";
import type { DatabaseFact, EnumTable } from "../../../values/database-fact.ts";
import { invariant } from "../../../values/errors.ts";
import type { TextRow } from "../source.ts";

/**
 * Returns schema, table or function, part, name, value, and whether it is optional (`t` or `f`). Columns that some
 * supported versions lack are read as JSON. Omits copies of a foreign key on partitions and foreign keys with PERIOD.
 */
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
WHERE k.contype IN ('p', 'u')
UNION ALL
SELECT r.nspname, r.relname, 'unique index', i.relname,
  pg_catalog.concat_ws(', ', (SELECT pg_catalog.string_agg(a.attname, ', ' ORDER BY c.place)
    FROM pg_catalog.unnest(x.indkey::pg_catalog.int2[]) WITH ORDINALITY AS c (number, place)
      JOIN pg_catalog.pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = c.number
    WHERE c.place <= COALESCE((pg_catalog.to_jsonb(x)->>'indnkeyatts')::pg_catalog.int4, x.indnatts)),
      CASE WHEN x.indexprs IS NOT NULL THEN 'expressions' END)
    || CASE WHEN x.indpred IS NULL THEN '' ELSE ' of some rows' END, 't'
FROM relation r JOIN pg_catalog.pg_index x ON x.indrelid = r.oid JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
  LEFT JOIN pg_catalog.pg_constraint k ON k.conindid = x.indexrelid AND k.contype IN ('p', 'u', 'x')
WHERE x.indisunique AND x.indimmediate AND x.indisvalid AND k.oid IS NULL
UNION ALL
SELECT r.nspname, r.relname, 'foreign key', k.conname,
  (SELECT pg_catalog.string_agg(a.attname, ', ' ORDER BY c.place)
    FROM pg_catalog.unnest(k.conkey) WITH ORDINALITY AS c (number, place)
      JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = c.number)
    || ' → ' || s.nspname || '.' || f.relname || ' ('
    || (SELECT pg_catalog.string_agg(a.attname, ', ' ORDER BY c.place)
      FROM pg_catalog.unnest(k.confkey) WITH ORDINALITY AS c (number, place)
        JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = c.number) || ')', 't'
FROM relation r JOIN pg_catalog.pg_constraint k ON k.conrelid = r.oid
  JOIN pg_catalog.pg_class f ON f.oid = k.confrelid JOIN pg_catalog.pg_namespace s ON s.oid = f.relnamespace
  LEFT JOIN pg_catalog.pg_constraint o ON o.oid = (pg_catalog.to_jsonb(k)->>'conparentid')::pg_catalog.oid
WHERE k.contype = 'f' AND (o.oid IS NULL OR o.confrelid = k.confrelid)
  AND COALESCE(pg_catalog.to_jsonb(k)->>'conperiod', 'false') = 'false'
UNION ALL
SELECT n.nspname, p.proname, 'function', COALESCE(i.types, ''),
  '(' || COALESCE(i.taken, '') || '), ' || p.pronargdefaults || ' optional, returns '
    || CASE WHEN p.proretset THEN 'setof ' ELSE '' END || s.nspname || '.' || t.typname
    || CASE p.provolatile WHEN 'i' THEN ', immutable' WHEN 's' THEN ', stable' ELSE ', volatile' END, 'f'
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
  JOIN pg_catalog.pg_type t ON t.oid = p.prorettype JOIN pg_catalog.pg_namespace s ON s.oid = t.typnamespace
  LEFT JOIN LATERAL (
    SELECT pg_catalog.string_agg(sa.nspname || '.' || ta.typname, ', ' ORDER BY a.place) AS types,
      pg_catalog.string_agg(COALESCE(NULLIF(p.proargnames[a.place], '') || ' ', '') || sa.nspname || '.' || ta.typname,
        ', ' ORDER BY a.place) AS taken
    FROM pg_catalog.unnest(COALESCE(p.proallargtypes, p.proargtypes::pg_catalog.oid[]))
        WITH ORDINALITY AS a (type, place)
      JOIN pg_catalog.pg_type ta ON ta.oid = a.type JOIN pg_catalog.pg_namespace sa ON sa.oid = ta.typnamespace
    WHERE COALESCE(p.proargmodes[a.place], 'i') NOT IN ('o', 't')) i ON true
WHERE pg_catalog.left(n.nspname, 3) <> 'pg_' AND n.nspname NOT IN ('information_schema', 'engine_catalog')
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend e
    WHERE e.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND e.objid = p.oid AND e.deptype IN ('e', 'i'))`;

/** Returns the statement that reads the values of an enum table, one per row. */
export function enumValuesStatement({ table: [schema, name], column }: EnumTable): string {
  return `SELECT ${quoteIdentifier(column)} FROM ${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}

export function factOf([schema, object, part, name, value, optional]: TextRow): DatabaseFact {
  invariant(schema && object && part && value, "the catalogue names its objects");
  const parts = name === null || name === undefined ? [part] : [part, name];
  return { object: [schema, object], part: parts, value, ...(optional === "t" && { isOptional: true }) };
}
