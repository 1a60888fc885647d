/** SIGTERM while statements hang, and a second SIGTERM. */
import { setTimeout as delay } from "node:timers/promises";
import { Checks } from "../lab/checks.ts";
import { graphql } from "../lab/client.ts";
import type { Fault } from "../lab/lab.ts";
import { Load } from "../lab/load.ts";
import { within } from "../lab/processes.ts";
import { read, write } from "../lab/tables.ts";

/** Counts the source's statements that are running or waiting. */
const activeStatements = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;

export const stuckShutdown: Fault = {
  name: "SIGTERM with stuck statements",
  isQuick: true,
  async run(lab) {
    const timeout = 2;
    const environment = { ENGINE_GRAPHQL_GRACEFUL_SHUTDOWN_TIMEOUT: String(timeout) };
    const { engine, cluster, database } = await lab.bench({ environment });
    const checks = new Checks();
    const active = async () => Number((await cluster.sql(database, activeStatements))[0]?.count);
    const lock = `begin; lock table ledger in access exclusive mode; select pg_sleep(60); commit`;
    const holder = cluster.sql(database, lock).catch(() => undefined);
    await within(5000, async () => (await active()) > 0);
    const stuck = Array.from({ length: 5 }, (_, n) => graphql(engine.url, write, { key: `stuck ${n}` }));
    checks.that(await within(10_000, async () => (await active()) >= 6), "the writes do not wait");
    const sent = performance.now();
    engine.signal("SIGTERM");
    const hasEnded = await within(timeout * 1000 + 15_000, () => engine.ended !== undefined);
    const took = performance.now() - sent;
    checks.that(hasEnded, "SIGTERM does not end it");
    checks.that(took < timeout * 1000 + 4000, `it ended after ${Math.round(took)} ms`);
    checks.that(engine.ended?.signal === null, `it ended by ${engine.ended?.signal}`);
    checks.that(await within(2000, async () => (await active()) <= 1), "statements run on in the database");
    checks.that(
      engine.log.some((line) => /shutdown/.test(line) && /cancel|cut off/.test(line)),
      "the log says nothing of it",
    );
    await cluster.sql(
      "postgres",
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
    );
    await holder;
    const answers = await Promise.all(stuck);
    const [kept] = await cluster.sql(database, "select count(*)::int as count from ledger");
    const good = answers.filter(({ isGood }) => isGood).length;
    checks.that(kept?.count === good, `${kept?.count} of the stuck writes were kept, ${good} acknowledged`);
    return {
      figures: { requests: stuck.length, failed: stuck.length - good, longestWait: took },
      broken: checks.broken,
    };
  },
};

export const secondSignal: Fault = {
  name: "a second SIGTERM",
  isQuick: true,
  async run(lab) {
    const { engine } = await lab.bench();
    const checks = new Checks();
    void graphql(engine.url, "{ slow_item { pause } }");
    await delay(500);
    engine.signal("SIGTERM");
    await delay(300);
    checks.that(engine.ended === undefined, "it ended although a request was in progress");
    const sent = performance.now();
    engine.signal("SIGTERM");
    checks.that(await within(2000, () => engine.ended !== undefined), "the second signal does not end it at once");
    return { figures: { longestWait: performance.now() - sent }, broken: checks.broken };
  },
};

/** Shutdown completes work in progress and loses no acknowledged write. */
export const shutdownUnderLoad: Fault = {
  name: "SIGTERM under load, then a start",
  isQuick: true,
  async run(lab) {
    const { engine, cluster, database } = await lab.bench();
    const checks = new Checks();
    const load = new Load([engine.url]);
    try {
      load.start();
      const began = performance.now();
      await within(20_000, () => load.hasRecoveredSince(began) && load.hasSeen(5));
      const slow = graphql(engine.url, "{ slow_item { pause } }");
      await delay(300);
      const stopped = engine.kill("SIGTERM");
      checks.that((await slow).isGood, "a request in progress was not answered");
      await stopped;
      const sent = performance.now();
      await engine.start();
      checks.that(await within(10_000, () => load.hasRecoveredSince(sent)), "not everybody is served again");
      const recovery = performance.now() - sent;
      checks.that((await graphql(engine.url, read, { shelf: 1 })).isGood, "reads fail");
      await load.stop();
      checks.broken.push(...(await load.faultsOf((sql, values) => cluster.sql(database, sql, values))));
      const { requests, failed, longestWait } = load.figures(began);
      return { figures: { requests, failed, longestWait, recovery }, broken: checks.broken };
    } finally {
      load.close();
    }
  },
};
