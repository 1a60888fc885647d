/**
 * `node --import tsx test/bench/metadata-numbers.ts` compares the processor time to read metadata in which one number
 * is written `1.10`, whose text must be preserved, with that for `1.1`. Output: milliseconds of each, and the median of
 * the ratios, for metadata of a request and metadata stored in a database. Target: 1.3.
 */
import { parseStored, parseWithNumberTexts } from "../../runtime/values/json/parse.ts";

const turns = 31;
const readings = 5;
const tables = 500;
const roles = 8;

const columns = ["id", "name", "owner_id", "price", "created_at", "comment"];
const permission = (role: number, number: string) => ({
  role: `role_${role}`,
  permission: {
    columns,
    filter: { _and: [{ owner_id: { _eq: "X-Engine-User-Id" } }, { price: { _gt: number } }] },
    limit: 100,
  },
});

/** Returns metadata with this number in the row filter of one permission. */
function metadata(number: string): string {
  const permissionsOf = (table: number) =>
    Array.from({ length: roles }, (_, role) => permission(role, table === tables / 2 && role === 0 ? "NUMBER" : "5"));
  const all = Array.from({ length: tables }, (_, table) => ({
    table: { schema: "public", name: `table_${table}` },
    object_relationships: [{ name: "owner", using: { foreign_key_constraint_on: "owner_id" } }],
    select_permissions: permissionsOf(table),
  }));
  const text = JSON.stringify({ version: 3, sources: [{ name: "default", kind: "postgres", tables: all }] });
  return text.replaceAll('"5"', "5").replace('"NUMBER"', number);
}

/** Returns the milliseconds for reading the text once. */
function measure(read: (text: string) => unknown, text: string): number {
  const { user, system } = process.cpuUsage();
  for (let i = 0; i < readings; i++) read(text);
  const spent = process.cpuUsage({ user, system });
  return (spent.user + spent.system) / 1000 / readings;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const [exact, plain] = [metadata("1.10"), metadata("1.1")];
console.log(`ms for ${(plain.length / 1e6).toFixed(1)} MB      1.10,   1.1  ratio`);
for (const [name, read] of Object.entries({ "of a request": parseWithNumberTexts, stored: parseStored })) {
  const pairs: [number, number][] = [];
  for (let turn = -5; turn < turns; turn++) {
    const first = turn % 2 === 0 ? measure(read, exact) : undefined;
    const other = measure(read, plain);
    const pair: [number, number] = [first ?? measure(read, exact), other];
    if (turn >= 0) pairs.push(pair);
  }
  const [one, two] = [median(pairs.map(([time]) => time)), median(pairs.map(([, time]) => time))];
  const ratio = median(pairs.map(([a, b]) => a / b)).toFixed(2);
  console.log(`${name.padEnd(15)} ${one.toFixed(1).padStart(6)}, ${two.toFixed(1).padStart(5)}  ${ratio}`);
}
