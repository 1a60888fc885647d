/** Two instances on the same metadata: one is frozen while a permission is revoked on the other. */
import { setTimeout as delay } from "node:timers/promises";
import { Checks } from "../lab/checks.ts";
import { Follower, graphql } from "../lab/client.ts";
import type { Fault } from "../lab/lab.ts";
import { within } from "../lab/processes.ts";
import { read, user } from "../lab/tables.ts";

/** Upper bound in milliseconds. Without a fault, an instance applies changes of other instances in about a second. */
const usualDelay = 3000;

export const revokedWhileFrozen: Fault = {
  name: "permission revoked while frozen",
  isQuick: true,
  async run(lab) {
    const bench = await lab.bench();
    const { cluster, database, proxy, engine: first } = bench;
    const second = await lab.engine({
      environment: {
        ENGINE_GRAPHQL_DATABASE_URL: proxy.before(cluster.url(database)),
        ENGINE_GRAPHQL_METADATA_DATABASE_URL: proxy.before(cluster.url(`${database}_metadata`)),
      },
    });
    const checks = new Checks();
    let isStopped = false;
    let revoked = Number.POSITIVE_INFINITY;
    let thawed = Number.POSITIVE_INFINITY;
    let requests = 0;
    let leaked = 0;
    let longestWait = 0;
    const client = async (): Promise<void> => {
      while (!isStopped) {
        const sent = performance.now();
        const answer = await graphql(second.url, read, { shelf: 1 }, { headers: user });
        requests++;
        longestWait = Math.max(longestWait, answer.milliseconds);
        // Requests sent before the revocation had the permission.
        if (sent > revoked && performance.now() > thawed && answer.isGood) leaked++;
        await delay(5);
      }
    };
    checks.that((await graphql(second.url, read, { shelf: 1 }, { headers: user })).isGood, "it did not work before");
    const clients = Array.from({ length: 5 }, client);
    // Their requests wait in the socket until the process resumes.
    const latecomers = async (): Promise<void> => void (await Promise.all(Array.from({ length: 5 }, client)));
    const live = "subscription { item(where: {shelf: {_eq: 1}}, order_by: {id: asc}) { id name } }";
    const follower = new Follower(second.url, live, user);
    lab.onClose(async () => follower.close());
    checks.that(await within(10_000, () => follower.heard > 0), "the subscription has no result");
    second.signal("SIGSTOP");
    lab.onClose(async () => second.signal("SIGCONT"));
    await delay(300);
    await first.post("/v1/metadata", { type: "pg_drop_select_permission", args: { table: "item", role: "user" } });
    revoked = performance.now();
    clients.push(latecomers());
    await delay(lab.length(2500, 30_000));
    thawed = performance.now();
    second.signal("SIGCONT");
    // Changes the result of the subscription.
    await cluster.sql(database, "update item set name = name || '!' where shelf = 1");
    const isRefused = await within(usualDelay, async () => {
      return !(await graphql(second.url, read, { shelf: 1 }, { headers: user })).isGood;
    });
    const recovery = performance.now() - thawed;
    await delay(1500);
    isStopped = true;
    await Promise.all(clients);
    checks.that(isRefused, "the permission is still there");
    checks.that(leaked === 0, `${leaked} answers under the old permission after it went on`);
    checks.that(follower.heard < thawed, "a subscription saw rows after it went on");
    return { figures: { requests, longestWait, recovery }, broken: checks.broken };
  },
};
