/** Live queries that rely on notifications, behind a pooler in transaction mode, which delivers none. */
import { startPooler } from "../../support/pooler.ts";
import type { Fault } from "../lab/lab.ts";
import { underLoad } from "../lab/under-load.ts";

export const pooledNotifications: Fault = {
  name: "notifications behind a pooler",
  isQuick: true,
  async run(lab) {
    const cluster = await lab.premises.shared();
    const pooler = await startPooler(cluster.url("postgres"));
    if (pooler === undefined) return { skipped: "pgbouncer is not installed" };
    lab.onClose(() => pooler.stop());
    const environment = {
      ENGINE_GRAPHQL_LIVE_QUERIES_NOTIFY: "default",
      ENGINE_GRAPHQL_USE_PREPARED_STATEMENTS: "false",
    };
    const bench = await lab.bench({ behindProxy: "source", pooler: pooler.port, environment });
    // No request may fail, and every subscription must still receive the newest values.
    return underLoad(bench, { failed: 0, longestWait: 10_000, recovery: 5000 }, () => Promise.resolve());
  },
};
