/** The database accepts fewer connections than the pool would open. */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Fault } from "../lab/lab.ts";
import { underLoad } from "../lab/under-load.ts";

export const connectionLimit: Fault = {
  name: "the database's connection limit",
  isQuick: true,
  async run(lab) {
    const cluster = await lab.cluster({ settings: { max_connections: 20, superuser_reserved_connections: 3 } });
    await cluster.sql("postgres", "create role app login createdb superuser");
    const bench = await lab.bench({ cluster });
    // From now on, the engine is not a superuser and cannot use the connections reserved for superusers.
    await cluster.sql(
      bench.database,
      `alter role app nosuperuser; grant all on all tables in schema public to app; grant all on all sequences in schema public to app`,
    );
    const url = bench.proxy.before(cluster.url(bench.database)).replace("postgres@", "app@");
    const database_url = {
      configuration: { connection_info: { database_url: url, pool_settings: { max_connections: 50 } } },
    };
    await bench.engine.post("/v1/metadata", { type: "pg_update_source", args: { name: "default", ...database_url } });
    const others: pg.Client[] = [];
    lab.onClose(() => Promise.all(others.map((other) => other.end().catch(() => undefined))));
    const load = { writers: 10, readers: 40, pause: 0 };
    const bounds = { failed: 0, longestWait: 15_000, recovery: 10_000 };
    const outcome = await underLoad({ ...bench, load }, bounds, async () => {
      // Other clients open and close connections.
      for (let round = lab.length(3, 10); round > 0; round--) {
        for (let count = 0; count < 5; count++) {
          const other = new pg.Client({ connectionString: cluster.url(bench.database).replace("postgres@", "app@") });
          others.push(other);
          other.on("error", () => undefined);
          await other.connect().catch(() => undefined);
        }
        // Fails if the connections reserved for superusers are in use.
        await cluster.sql("postgres", "select 1");
        await delay(700);
        await Promise.all(others.splice(0).map((other) => other.end().catch(() => undefined)));
      }
    });
    return outcome;
  },
};
