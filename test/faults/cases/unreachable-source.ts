/** The metadata is reloaded, and the server started, while the source is unreachable. */
import { Checks } from "../lab/checks.ts";
import { graphql } from "../lab/client.ts";
import type { Fault } from "../lab/lab.ts";
import { within } from "../lab/processes.ts";
import { read } from "../lab/tables.ts";

export const unreachableSource: Fault = {
  name: "source unreachable at a reload",
  isQuick: true,
  async run(lab) {
    const { engine, proxy } = await lab.bench({ behindProxy: "source" });
    const checks = new Checks();
    const expectConnectionError = async (when: string): Promise<void> => {
      const answer = await graphql(engine.url, read, { shelf: 1 }, { patience: 20_000 });
      checks.that(/connection error/.test(answer.text), `${when}: ${answer.text.slice(0, 120)}`);
    };
    checks.that((await graphql(engine.url, read, { shelf: 1 })).isGood, "it did not work before");
    proxy.refuse();
    await engine
      .post("/v1/metadata", { type: "reload_metadata", args: { reload_sources: true } })
      .catch(() => undefined);
    await expectConnectionError("after the reload");
    await engine.kill();
    await engine.start();
    await expectConnectionError("after a start");
    proxy.accept();
    const mended = performance.now();
    const isBack = await within(15_000, async () => (await graphql(engine.url, read, { shelf: 1 })).isGood);
    const recovery = performance.now() - mended;
    checks.that(isBack, "reads fail although the source is back");
    return { figures: { recovery }, broken: checks.broken };
  },
};
