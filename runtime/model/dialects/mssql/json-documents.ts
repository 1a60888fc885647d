/**
 * Comparisons and updates of JSON documents in text columns of SQL Server. They have the semantics of PostgreSQL's `jsonb`
 * (https://www.postgresql.org/docs/15/functions-json.html) and use `openjson`, whose rows have a key, a value and a type
 * number
 * (https://learn.microsoft.com/sql/t-sql/functions/openjson-transact-sql).
 */
import { joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";

/** Maximum nesting depth of compared values; each level is a sub-select. */
export const maxComparedDepth = 3;

/** Types of `openjson`: 0 null, 1 string, 2 number, 3 true or false, 4 list, 5 object. */
const string = sql`1`;
const list = sql`4`;
const object = sql`5`;

/** A row of `openjson`. */
interface Item {
  readonly key: Sql;
  readonly value: Sql;
  readonly kind: Sql;
}

const itemOf = (alias: string): Item => ({
  key: verbatim(`${alias}.[key]`),
  value: verbatim(`${alias}.[value]`),
  kind: verbatim(`${alias}.[type]`),
});

/** Compares a text exactly: other collations equate some letters, and `=` ignores trailing spaces. */
const exactly = (text: Sql): Sql => sql`concat(${text}, N'.') collate Latin1_General_100_BIN2`;

const same = (left: Sql, right: Sql): Sql => sql`${exactly(left)} = ${exactly(right)}`;

/** Returns a list with a document as its only item, because `openjson` accepts no scalars. The cast prevents truncation. */
const listWith = (document: Sql): Sql => sql`concat(cast(N'[' as nvarchar(max)), ${document}, N']')`;

const documentAs = (alias: string, document: Sql): Sql => sql`openjson(${listWith(document)}) ${verbatim(alias)}`;

/** Returns the items of an item; a scalar has none. */
const itemsAs = (alias: string, { kind, value }: Item): Sql =>
  sql`openjson(case when ${kind} > 3 then ${value} end) ${verbatim(alias)}`;

/** Compares two scalars of one type; numbers with double precision, so that `1` equals `1.0`. */
const sameScalar = (left: Item, right: Item): Sql => {
  const asNumbers = sql`try_convert(float, ${left.value}) = try_convert(float, ${right.value})`;
  return sql`${left.kind} = ${right.kind} and (${same(left.value, right.value)} or ${right.kind} = 2 and ${asNumbers})`;
};

/** Compares scalars. A session value that is nested too deeply raises an error, because false would be true inside `_not`. */
const scalarsOnly = (left: Item, right: Item): Sql => {
  const text = sql`N'JSON is nested deeper than ${verbatim(String(maxComparedDepth))} levels at '`;
  return sql`case when ${right.kind} > 3 then convert(int, concat(${text}, ${right.key})) when ${sameScalar(left, right)} then 1 end = 1`;
};

/**
 * Returns the condition that a document contains a value: an object contains each member of the value, or a list
 * contains each item of the value, regardless of order and repetition.
 */
function containsItem(document: Item, value: Item, level: number): Sql {
  if (level > maxComparedDepth) return scalarsOnly(document, value);
  const [ofDocument, ofValue] = [`d${level}`, `v${level}`];
  const [inDocument, inValue] = [itemOf(ofDocument), itemOf(ofValue)];
  const found = sql`(${value.kind} = ${list} or ${inDocument.key} = ${inValue.key}) and (${containsItem(inDocument, inValue, level + 1)})`;
  const missing = sql`select 1 from ${itemsAs(ofValue, value)} where not exists (select 1 from ${itemsAs(ofDocument, document)} where ${found})`;
  return sql`${sameScalar(document, value)} or ${value.kind} > 3 and ${document.kind} = ${value.kind} and not exists (${missing})`;
}

/** Returns the condition that two documents are equal, regardless of the order of members. */
function equalsItem(left: Item, right: Item, level: number): Sql {
  if (level > maxComparedDepth) return scalarsOnly(left, right);
  const [ofLeft, ofRight] = [`d${level}`, `v${level}`];
  const [inLeft, inRight] = [itemOf(ofLeft), itemOf(ofRight)];
  const found = sql`${inLeft.key} = ${inRight.key} and (${equalsItem(inLeft, inRight, level + 1)})`;
  const missing = sql`select 1 from ${itemsAs(ofRight, right)} where not exists (select 1 from ${itemsAs(ofLeft, left)} where ${found})`;
  const count = (alias: string, item: Item): Sql => sql`(select count(*) from ${itemsAs(alias, item)})`;
  const asMany = sql`${count(ofLeft, left)} = ${count(ofRight, right)}`;
  return sql`${sameScalar(left, right)} or ${right.kind} > 3 and ${left.kind} = ${right.kind} and ${asMany} and not exists (${missing})`;
}

const [document, value] = [itemOf("d0"), itemOf("v0")];

/** Returns a condition that is NULL if either side is NULL, like the comparisons of other types. */
const nullable = (left: Sql, right: Sql, condition: Sql): Sql =>
  sql`case when ${left} is null or ${right} is null then null when ${condition} then 1 else 0 end = 1`;

const ofBoth = (left: Sql, right: Sql, condition: Sql): Sql =>
  sql`exists (select 1 from ${documentAs("d0", left)} cross join ${documentAs("v0", right)} where ${condition})`;

/** Returns the condition that a document contains a value. A top-level list also contains a scalar that is one of its items. */
function contains(left: Sql, right: Sql): Sql {
  const item = sql`exists (select 1 from ${itemsAs("d1", document)} where ${value.kind} < 4 and ${sameScalar(itemOf("d1"), value)})`;
  return ofBoth(left, right, sql`${containsItem(document, value, 1)} or ${document.kind} = ${list} and ${item}`);
}

export const containsDocument = (left: Sql, right: Sql): Sql => nullable(left, right, contains(left, right));

export const isContainedIn = (left: Sql, right: Sql): Sql => nullable(left, right, contains(right, left));

const equal = (left: Sql, right: Sql): Sql => ofBoth(left, right, equalsItem(document, value, 1));

export const equalsDocument = (left: Sql, right: Sql): Sql => nullable(left, right, equal(left, right));

export const differsFrom = (left: Sql, right: Sql): Sql => nullable(left, right, sql`not ${equal(left, right)}`);

/**
 * Returns the condition that a document equals one in a list.
 * @param values a JSON list of texts; each text is a document
 */
const isAmong = (left: Sql, values: Sql): Sql =>
  sql`exists (select 1 from openjson(${values}) e where ${equal(left, sql`e.[value]`)})`;

export const equalsSome = (left: Sql, values: Sql): Sql => nullable(left, values, isAmong(left, values));

export const equalsNone = (left: Sql, values: Sql): Sql => nullable(left, values, sql`not ${isAmong(left, values)}`);

/** Returns the condition that an object has a member with this name, or that a list contains it as a string. */
function has(left: Sql, key: Sql): Sql {
  const item = itemOf("d1");
  const member = sql`${document.kind} = ${object} and ${same(item.key, key)}`;
  const text = sql`${document.kind} = ${list} and ${item.kind} = ${string} and ${same(item.value, key)}`;
  return sql`exists (select 1 from ${documentAs("d0", left)} cross apply ${itemsAs("d1", document)} where ${member} or ${text})`;
}

export const hasKey = (left: Sql, key: Sql): Sql => nullable(left, key, has(left, key));

/**
 * Returns the condition that a document has at least one of several keys.
 * @param keys a JSON list of texts
 */
export const hasSomeKey = (left: Sql, keys: Sql): Sql =>
  nullable(left, keys, sql`exists (select 1 from openjson(${keys}) k where ${has(left, sql`k.[value]`)})`);

export const hasAllKeys = (left: Sql, keys: Sql): Sql =>
  nullable(left, keys, sql`not exists (select 1 from openjson(${keys}) k where not ${has(left, sql`k.[value]`)})`);

// ---------------------------------------------------------------- updates of a document

const quoted = (text: Sql): Sql => sql`concat(N'"', string_escape(${text}, N'json'), N'"')`;

const jsonOf = ({ kind, value: text }: Item): Sql =>
  sql`case ${kind} when 0 then N'null' when 1 then ${quoted(text)} else ${text} end`;

const item = itemOf("i");

/**
 * Gives a text of `openjson` the collation of the database. A key has a binary collation and a value that of the document,
 * and texts of different columns can be concatenated only if one has an explicit collation.
 */
const collated = (text: Sql): Sql => sql`${text} collate database_default`;

/**
 * Returns the JSON object with a member for each row.
 * @param rows FROM item with the alias `i`
 */
const objectOf = (rows: Sql): Sql =>
  sql`(select concat(N'{', string_agg(concat(${quoted(collated(item.key))}, N':', ${jsonOf(item)}), N','), N'}') from ${rows})`;

/**
 * Returns the JSON list with an item for each row.
 * @param order ORDER BY of the rows
 */
const listOf = (rows: Sql, order: Sql): Sql =>
  sql`(select concat(N'[', string_agg(cast(${jsonOf(item)} as nvarchar(max)), N',') within group (order by ${order}), N']') from ${rows})`;

const position = sql`cast(${item.key} as int)`;
const kindOf = (text: Sql): Sql => sql`(select d0.[type] from ${documentAs("d0", text)})`;
const columnsOf = (...more: Sql[]): Sql =>
  joinSql([sql`[key]`, sql`${collated(sql`[value]`)} as [value]`, sql`[type]`, ...more], ", ");

/** Merges two objects, with members of the second taking precedence; other values are concatenated to a list. */
export function joinDocuments(first: Sql, second: Sql): Sql {
  const left = sql`select ${columnsOf()} from openjson(${first}) f where not exists (select 1 from openjson(${second}) s where s.[key] = f.[key])`;
  const members = sql`(${left} union all select ${columnsOf()} from openjson(${second})) i`;
  const itemsOf = (text: Sql, part: Sql): Sql =>
    sql`select ${columnsOf(sql`${part} as part`)} from openjson(iif(${kindOf(text)} = ${list}, ${text}, ${listWith(text)}))`;
  const items = sql`(${itemsOf(first, sql`1`)} union all ${itemsOf(second, sql`2`)}) i`;
  const areObjects = sql`${kindOf(first)} = ${object} and ${kindOf(second)} = ${object}`;
  return sql`case when ${areObjects} then ${objectOf(members)} when ${first} is not null and ${second} is not null then ${listOf(items, sql`i.part, ${position}`)} end`;
}

/** Removes a member from an object, or equal strings from a list. */
export function withoutKey(text: Sql, key: Sql): Sql {
  const members = sql`openjson(${text}) i where not (${same(item.key, key)})`;
  const items = sql`openjson(${text}) i where not (${item.kind} = ${string} and ${same(item.value, key)})`;
  return sql`case ${kindOf(text)} when ${object} then ${objectOf(members)} when ${list} then ${listOf(items, position)} else ${text} end`;
}

/**
 * Removes an item of a list; fails for an object.
 * @param index counted from 0; negative values count from the end
 */
export function withoutItem(text: Sql, index: Sql): Sql {
  const end = sql`(select count(*) from openjson(${text}))`;
  const items = sql`openjson(${text}) i where ${position} <> iif(${index} < 0, ${end} + ${index}, ${index})`;
  return sql`case ${kindOf(text)} when ${list} then ${listOf(items, position)} when ${object} then convert(nvarchar(max), convert(int, concat(N'cannot delete from an object by the index ', ${index}))) else ${text} end`;
}
