/** Results and latencies of health probes while databases are frozen. */
import { Checks } from "../lab/checks.ts";
import { type Answer, graphql, request } from "../lab/client.ts";
import type { Fault } from "../lab/lab.ts";
import { within } from "../lab/processes.ts";
import { TcpProxy } from "../lab/proxy.ts";
import { read } from "../lab/tables.ts";

const longestProbe = 3000;
/** Maximum time until probes report a fault or its end. */
const longestChange = 5000;

export const healthDuringFaults: Fault = {
  name: "probes while databases are frozen",
  isQuick: true,
  async run(lab) {
    const shared = await lab.premises.shared();
    const metadataProxy = await TcpProxy.open(shared.port);
    lab.onClose(() => metadataProxy.close());
    const name = `lab_health_${process.pid}`;
    await shared.sql("postgres", `create database ${name}`);
    const environment = { ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadataProxy.before(shared.url(name)) };
    const { engine, proxy } = await lab.bench({ environment });
    const checks = new Checks();
    let longestWait = 0;
    let requests = 0;
    const probe = async (path: string): Promise<Answer> => {
      const answer = await request(engine.url, { path, method: "GET", patience: 20_000 });
      longestWait = Math.max(longestWait, answer.milliseconds);
      requests += 1;
      checks.that(answer.milliseconds < longestProbe, `${path} takes ${Math.round(answer.milliseconds)} ms`);
      return answer;
    };
    const expectAll = async (when: string, expected: Readonly<Record<string, number>>): Promise<void> => {
      for (const [path, status] of Object.entries(expected)) {
        const isSo = await within(longestChange, async () => (await probe(path)).status === status);
        checks.that(isSo, `${when}: ${path} does not answer ${status}`);
      }
    };
    const fine = { "/livez": 200, "/readyz": 200, "/healthz": 200 };
    await expectAll("before", fine);
    metadataProxy.freeze();
    await expectAll("metadata database frozen", { "/livez": 200, "/readyz": 200, "/healthz": 500 });
    checks.that((await graphql(engine.url, read, { shelf: 1 })).isGood, "reads fail without the metadata database");
    metadataProxy.thaw("are lost");
    await expectAll("metadata database back", fine);
    proxy.freeze();
    await expectAll("source frozen", { "/livez": 200, "/readyz": 503, "/healthz": 200 });
    proxy.thaw("are lost");
    const mended = performance.now();
    await expectAll("source back", fine);
    const recovery = performance.now() - mended;
    return { figures: { requests, longestWait, recovery }, broken: checks.broken };
  },
};
