/**
 * `node --import tsx test/bench/json.ts` measures the processor time of several ways to parse the response of a remote
 * server or handler, in alternating rounds. Output: microseconds of each, and the ratio to the usual form.
 */
import { readResponse, usualValue } from "../../runtime/execute/remote/remote-values.ts";
import type { RemoteField } from "../../runtime/model/planner/request/remote/remote-request.ts";
import { runToCompletion } from "../../runtime/values/interruptible.ts";
import { parseJson } from "../../runtime/values/json/parse.ts";

const turns = 31;
/** Number of characters parsed in one round. */
const charactersPerTurn = 2_000_000;

const field = (key: string, lists: number, ...selection: readonly RemoteField[]): RemoteField => ({
  kind: "field",
  ...{ key, name: key, args: [], lists, selection: selection.length > 0 ? selection : null },
});
const leaves = (...keys: readonly string[]) => keys.map((key) => field(key, 0));
const selected = field(
  "orders",
  1,
  ...leaves("id", "state", "total", "note"),
  field("to", 0, ...leaves("city", "street")),
);
const plan = { fields: [{ key: "orders", selected }] } as never;

const order = (id: number) => ({
  ...{ id, state: "paid", total: id * 1.25, note: id % 2 === 0 ? `order ${id}` : null },
  to: { city: "Rome", street: `Via ${id}` },
});

const ways: Readonly<Record<string, (text: string) => unknown>> = {
  "usual form": (text) => usualValue(plan, text),
  scanner: (text) => runToCompletion(readResponse(text)),
  "JSON.parse": (text) => JSON.parse(text),
  parseJson,
};

/** Returns the microseconds for parsing the text once. */
function measure(read: (text: string) => unknown, text: string): number {
  const readings = Math.ceil(charactersPerTurn / text.length);
  const begin = process.cpuUsage();
  for (let i = 0; i < readings; i++) read(text);
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / readings;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

for (const count of [1, 10, 100]) {
  const text = JSON.stringify({ data: { orders: Array.from({ length: count }, (_, i) => order(i)) } });
  const times = new Map(Object.keys(ways).map((way) => [way, [] as number[]]));
  for (let turn = 0; turn < turns; turn++) {
    for (const [way, read] of Object.entries(ways)) times.get(way)?.push(measure(read, text));
  }
  const usual = median(times.get("usual form") ?? []);
  const shown = [...times].map(
    ([way, all]) => `${way} ${median(all).toFixed(2)} (x ${(median(all) / usual).toFixed(1)})`,
  );
  console.log(`${count} objects, ${text.length} characters: ${shown.join(", ")}`);
}
