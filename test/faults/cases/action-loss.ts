/**
 * Sends a thousand calls of an asynchronous action to three instances, one of which is killed about every second. Each
 * acknowledged call ends exactly once, with the result of its handler, and none is lost.
 */
import { setTimeout as delay } from "node:timers/promises";
import { startActionHandler } from "../../support/action-handler.ts";
import { Checks } from "../lab/checks.ts";
import type { Engine } from "../lab/engine.ts";
import type { Fault } from "../lab/lab.ts";
import { within } from "../lab/processes.ts";
import { below, randomOf } from "../lab/random.ts";

const calls = 1000;
/** Maximum response time in milliseconds. */
const slowestHandler = 400;

/** Results of the handler by call number: completed, or one of two errors. */
const outcomes = ["completed", "completed", "completed", "error", "completed", "refused", "completed"] as const;
const outcomeOf = (number: number) => outcomes[number % outcomes.length] ?? "completed";

/** Counts how often each call ends, independently of the engine's reports. */
const countEnds = `
  create table ends (id uuid not null, status text not null);
  create function count_end() returns trigger language plpgsql as $$
    begin insert into public.ends values (new.id, new.status); return null; end
  $$;
  create trigger count_end after update on engine_catalog.engine_action_log for each row
    when (new.status in ('completed', 'error')) execute function count_end()`;

const endings = `
  select l.id::text, (l.input_payload ->> 'number')::int as number, l.status,
    l.response_payload, l.errors ->> 'error' as error,
    (select count(*)::int from public.ends e where e.id = l.id) as ends
  from engine_catalog.engine_action_log l`;

interface Ending {
  readonly id: string;
  readonly number: number;
  readonly status: string;
  readonly response_payload: unknown;
  readonly error: string | null;
  readonly ends: number;
}

const mutation = "mutation ($number: Int!) { work(number: $number) }";

/**
 * Retries until an instance has acknowledged the call. An instance that is killed may have stored the call without
 * acknowledging it.
 */
async function ask(engines: readonly Engine[], random: () => number, number: number): Promise<string> {
  for (;;) {
    const engine = engines[below(random, engines.length)];
    try {
      const answer = (await engine?.post("/v1/graphql", { query: mutation, variables: { number } })) as {
        readonly data?: { readonly work: string };
      };
      if (answer.data) return answer.data.work;
    } catch {
      await delay(20); // the instance was killed before or during the request
    }
  }
}

export const actionLoss: Fault = {
  name: "asynchronous actions while instances are killed",
  isQuick: true,
  async run(lab) {
    const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000);
    const random = randomOf(seed);
    const handler = await startActionHandler(async ({ text }, response) => {
      const { number } = (JSON.parse(text) as { readonly input: { readonly number: number } }).input;
      await delay(random() * slowestHandler);
      const outcome = outcomeOf(number);
      if (outcome === "completed") response.end(JSON.stringify(number));
      else response.writeHead(outcome === "error" ? 500 : 422).end('{"message": "refused"}');
    });
    lab.onClose(() => handler.close());
    const cluster = await lab.cluster({});
    await cluster.sql("postgres", "create database actions");
    const environment = {
      ENGINE_GRAPHQL_METADATA_DATABASE_URL: cluster.url("actions"),
      ENGINE_GRAPHQL_NO_OF_RETRIES: "20",
    };
    const first = await lab.engine({ environment });
    const definition = {
      kind: "asynchronous",
      handler: `http://127.0.0.1:${handler.port}/work`,
      output_type: "Int!",
      arguments: [{ name: "number", type: "Int!" }],
    };
    await first.post("/v1/metadata", { type: "create_action", args: { name: "work", definition } });
    await cluster.sql("actions", countEnds);
    const engines = [first, await lab.engine({ environment }), await lab.engine({ environment })];
    const checks = new Checks();
    const acknowledged: string[] = [];
    const down = new Set<Engine>();
    const milliseconds = lab.length(8, 60) * 1000;
    const asking = Array.from({ length: calls }, async (_, number) => {
      await delay((milliseconds / calls) * number);
      acknowledged.push(await ask(engines, random, number));
    });
    let kills = 0;
    const restarts: Promise<void>[] = [];
    const until = performance.now() + milliseconds;
    while (performance.now() < until) {
      await delay(1000);
      const alive = engines.filter((engine) => !down.has(engine));
      const engine = alive[below(random, alive.length)];
      if (engine === undefined || alive.length < 2) continue;
      kills++;
      down.add(engine);
      await engine.kill();
      restarts.push(engine.start().then(() => void down.delete(engine)));
    }
    await Promise.all([...asking, ...restarts]);
    const ended = performance.now();
    const all = async () => (await cluster.sql("actions", endings)) as unknown as readonly Ending[];
    const isOver = ({ status }: Ending): boolean => status === "completed" || status === "error";
    checks.that(await within(30_000, async () => (await all()).every(isOver)), "calls have not ended in time");
    const recovery = performance.now() - ended;
    const found = await all();
    const known = new Map(found.map((each) => [each.id, each]));
    checks.that(kills > 1, `${kills} instances were killed`);
    checks.that(acknowledged.length === calls, `${acknowledged.length} of ${calls} calls were acknowledged`);
    checks.that(
      acknowledged.every((id) => known.has(id)),
      "a call that was acknowledged is lost",
    );
    for (const { id, number, status, response_payload, error, ends } of found) {
      const outcome = outcomeOf(number);
      const fits =
        outcome === "completed"
          ? status === "completed" && response_payload === number
          : status === "error" && error === (outcome === "error" ? "internal error" : "refused");
      checks.that(fits, `call ${id} (${number}) ended as ${status} with ${JSON.stringify(response_payload ?? error)}`);
      checks.that(ends === 1, `call ${id} (${number}) ended ${ends} times`);
    }
    if (checks.broken.length > 0) checks.broken.push(`FAULT_SEED=${seed}`);
    return { figures: { requests: handler.requests.length, recovery }, broken: checks.broken.slice(0, 20) };
  },
};
