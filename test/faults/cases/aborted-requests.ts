/** Requests that clients abort do not delay other requests. */
import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Checks } from "../lab/checks.ts";
import { graphql } from "../lab/client.ts";
import type { Fault } from "../lab/lab.ts";
import { within } from "../lab/processes.ts";
import { read, write } from "../lab/tables.ts";

const slowStatements = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query like '%slow_item%'`;

export const abortedReads: Fault = {
  name: "60 aborted reads of 5 s each",
  isQuick: true,
  async run(lab) {
    const { engine, cluster, database } = await lab.bench({ environment: { ENGINE_GRAPHQL_PG_CONNECTIONS: "10" } });
    const checks = new Checks();
    const before = await engine.descriptors();
    const running = async () => Number((await cluster.sql(database, slowStatements))[0]?.count);
    const abort = new AbortController();
    setMaxListeners(0, abort.signal);
    const slow = Array.from({ length: 60 }, (_, n) =>
      graphql(engine.url, `{ slow_item(limit: ${n + 1}) { pause } }`, {}, { signal: abort.signal }),
    );
    checks.that(await within(5000, async () => (await running()) >= 5), "the slow reads do not run");
    abort.abort();
    await Promise.all(slow);
    const aborted = performance.now();
    const answer = await graphql(engine.url, read, { shelf: 3 });
    const recovery = performance.now() - aborted;
    checks.that(answer.isGood, `a read fails: ${answer.text.slice(0, 200)}`);
    checks.that(recovery < 2500, `another read waits ${Math.round(recovery)} ms`);
    checks.that(await within(2500, async () => (await running()) === 0), `${await running()} of them run on`);
    await delay(500);
    checks.that((await running()) === 0, "reads whose clients are gone are started");
    const after = await engine.descriptors();
    return {
      figures: { requests: slow.length, recovery, longestWait: answer.milliseconds, descriptors: [before, after] },
      broken: checks.broken,
    };
  },
};

export const abortedWrites: Fault = {
  name: "aborted writes run to their end",
  isQuick: true,
  async run(lab) {
    const { engine, cluster, database } = await lab.bench();
    const checks = new Checks();
    await cluster.sql(
      database,
      `create function slowly() returns trigger language plpgsql as 'begin perform pg_sleep(1); return new; end';
      create trigger slowly before insert on ledger for each row execute function slowly();`,
    );
    const abort = new AbortController();
    setMaxListeners(0, abort.signal);
    const slow = Array.from({ length: 5 }, (_, n) =>
      graphql(engine.url, write, { key: `aborted ${n}` }, { signal: abort.signal }),
    );
    await within(5000, async () => {
      const waiting = await cluster.sql(
        database,
        "select from pg_stat_activity where datname = current_database() and state = 'active'",
      );
      return waiting.length > 5;
    });
    abort.abort();
    await Promise.all(slow);
    const kept = async () =>
      Number((await cluster.sql(database, "select count(*)::int as count from ledger"))[0]?.count);
    checks.that(
      await within(15_000, async () => (await kept()) === slow.length),
      `${await kept()} of ${slow.length} were kept`,
    );
    return { figures: { requests: slow.length }, broken: checks.broken };
  },
};
