/**
 * Measures the waiting times of small requests while responses of 10 MB pass through the engine, one after the other.
 */
import { askText } from "../pairs.ts";
import { latencies, shown } from "./latencies.ts";

const seconds = 5;
const large = { query: "query ($count: Int!) { orders(count: $count) { id } }", variables: { count: 120_000 } };

export async function measureLargeAnswers(port: number): Promise<void> {
  const alone = await latencies(port, seconds);
  let isOver = false;
  let passed = 0;
  const passing = (async () => {
    while (!isOver) passed += (await askText(port, large)).length;
  })();
  const beside = await latencies(port, seconds);
  isOver = true;
  await passing;
  console.log(`small requests alone:                ${shown(alone)}`);
  console.log(`beside answers of 10 MB (${(passed / 2 ** 20).toFixed(0)} MB passed): ${shown(beside)}`);
}
