/** Reads the facts that `advise` needs, in one statement that reads only `pg_catalog`. */
import { invariant } from "../../../../runtime/values/errors.ts";
import { compareText } from "../../../../runtime/values/text-order.ts";
import type { IndexFact, OwnerFunction, ReviewFacts } from "../../../shape/review-facts.ts";
import type { Query } from "../../dialect.ts";
import { isUserSchema, serverStatement } from "./statement.ts";

/** Access methods of indexes that can serve equality. */
const methods = "'btree', 'hash'";

/**
 * Selects indexes with their key columns, and functions that run with the rights of their owner. An index of a
 * partitioned table without indexes of all partitions is not valid.
 */
function reviewStatement(version: number): string {
  const keyColumns = version >= 110_000 ? "x.indnkeyatts" : "x.indnatts";
  return `SELECT 'index', pg_catalog.json_build_object('schema', n.nspname, 'table', c.relname, 'name', i.relname,
  'columns', ARRAY(SELECT a.attname FROM pg_catalog.generate_series(0, ${keyColumns} - 1) AS place
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = x.indkey[place]
    ORDER BY place),
  'condition', pg_catalog.pg_get_expr(x.indpred, x.indrelid),
  'collation', (SELECT l.collname FROM pg_catalog.pg_collation l JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
    WHERE l.oid = x.indcollation[0] AND a.attnum = x.indkey[0] AND a.attcollation <> l.oid),
  'operatorClass', (SELECT o.opcname FROM pg_catalog.pg_opclass o
    WHERE o.oid = x.indclass[0] AND NOT o.opcdefault))::pg_catalog.text
FROM pg_catalog.pg_index x JOIN pg_catalog.pg_class c ON c.oid = x.indrelid
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
  JOIN pg_catalog.pg_am m ON m.oid = i.relam
WHERE ${isUserSchema} AND c.relkind IN ('r', 'p', 'm') AND x.indisvalid AND m.amname IN (${methods})
UNION ALL
SELECT 'function', pg_catalog.json_build_object('schema', n.nspname, 'name', p.proname, 'id', p.oid::pg_catalog.int8)::pg_catalog.text
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
WHERE ${isUserSchema} AND p.prosecdef`;
}

interface IndexRow {
  readonly schema: string;
  readonly table: string;
  readonly name: string;
  /** `null` for an expression. */
  readonly columns: readonly (string | null)[];
  readonly condition: string | null;
  readonly collation: string | null;
  readonly operatorClass: string | null;
}

export async function readReviewFacts(query: Query): Promise<ReviewFacts> {
  const [number] = (await query(serverStatement))[0] ?? [];
  invariant(typeof number === "string", "the server returned its version");
  const indexes: IndexFact[] = [];
  const ownerFunctions: OwnerFunction[] = [];
  for (const [section, text] of await query(reviewStatement(Number(number)))) {
    invariant(typeof text === "string", "each row has a document");
    if (section === "index") indexes.push(indexFact(JSON.parse(text) as IndexRow));
    else ownerFunctions.push(JSON.parse(text) as OwnerFunction);
  }
  const keyOf = ({ table, name }: IndexFact) => JSON.stringify([table.schema, table.name, name]);
  const functionKey = ({ schema, name, id }: OwnerFunction) => JSON.stringify([schema, name, id]);
  return {
    indexes: indexes.sort((one, other) => compareText(keyOf(one), keyOf(other))),
    ownerFunctions: ownerFunctions.sort((one, other) => compareText(functionKey(one), functionKey(other))),
  };
}

function indexFact({ schema, table, name, columns, condition, collation, operatorClass }: IndexRow): IndexFact {
  const end = columns.indexOf(null);
  const plain = end < 0 ? columns : columns.slice(0, end);
  return {
    table: { schema, name: table },
    name,
    columns: plain.flatMap((column) => column ?? []),
    ...(condition !== null && { condition }),
    ...(collation !== null && { collation }),
    ...(operatorClass !== null && { operatorClass }),
  };
}
