/** Writers that wait for a locked table do not delay other clients. */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { Checks } from "../lab/checks.ts";
import { graphql } from "../lab/client.ts";
import type { Fault } from "../lab/lab.ts";
import { within } from "../lab/processes.ts";
import { read, write } from "../lab/tables.ts";

export const lockPileUp: Fault = {
  name: "70 writers wait for a lock",
  isQuick: true,
  async run(lab) {
    const { engine, cluster, database } = await lab.bench();
    const checks = new Checks();
    const holder = new pg.Client({ connectionString: cluster.url(database) });
    holder.on("error", () => undefined);
    await holder.connect();
    lab.onClose(() => holder.end());
    await holder.query(
      "set idle_in_transaction_session_timeout = 0; begin; lock table ledger in access exclusive mode",
    );
    const writers = Array.from({ length: 70 }, (_, n) => graphql(engine.url, write, { key: `waits ${n}` }));
    const waiting = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    checks.that(
      await within(10_000, async () => Number((await cluster.sql(database, waiting))[0]?.count) > 5),
      "nobody waits",
    );
    await delay(1000);
    let longestWait = 0;
    let failed = 0;
    for (let n = 0; n < 30; n++) {
      const answer = await graphql(engine.url, read, { shelf: n }, { patience: 10_000 });
      longestWait = Math.max(longestWait, answer.milliseconds);
      if (!answer.isGood) failed++;
      if (failed > 2) break;
    }
    checks.that(failed === 0, `${failed} reads of another table failed`);
    checks.that(longestWait < 3000, `reads of another table take ${Math.round(longestWait)} ms`);
    await holder.query("commit");
    const freed = performance.now();
    const answers = await Promise.all(writers);
    const recovery = performance.now() - freed;
    checks.that(recovery < 30_000, `writers are answered after ${Math.round(recovery)} ms`);
    const [kept] = await cluster.sql(database, "select count(*)::int as count from ledger");
    const good = answers.filter(({ isGood }) => isGood).length;
    checks.that(kept?.count === good, `${kept?.count} writes were kept, ${good} acknowledged`);
    // Requests that time out must return an error with a code.
    const unclear = answers.filter(({ isGood, text }) => !isGood && !/code/.test(text)).length;
    checks.that(unclear === 0, `${unclear} writers got no clear error`);
    return {
      figures: { requests: writers.length, failed: writers.length - good, longestWait, recovery },
      broken: checks.broken,
    };
  },
};
