import { expect, it } from "vitest";
import { graphqlService } from "../../../runtime/execute/services.ts";
import { LiveQueries } from "../../../runtime/execute/subscribe/live-queries.ts";
import { uninterrupted } from "../../../runtime/ports/continuity.ts";
import { AdmittedSession } from "../../../runtime/values/admitted-session.ts";
import { execution, polling } from "../../support/compiled.ts";
import { readerGenerations } from "./reader-generations.ts";
import { RecordingSink } from "./subscribe/scripted.ts";

it("A subscription that starts during a metadata change is planned with the new metadata", async () => {
  const generationWith = await readerGenerations({ query: async () => [["[]"]] });
  let generation = generationWith(["id", "name"]);
  const live = new LiveQueries({ settings: { live: polling, stream: polling }, continuity: uninterrupted });
  const service = graphqlService(() => generation, execution, live);
  const session = { role: "reader", variables: new Map<string, string>(), backendOnly: false };
  const prepare = async () => {
    const request = { query: "subscription { author { name } }", operationName: null, variables: null };
    const prepared = await service.prepare(request, new AdmittedSession(session));
    if (prepared.kind !== "subscription") throw new Error("expected a subscription");
    return prepared;
  };
  const sink = new RecordingSink();
  const { stop } = await (await prepare()).subscribe(sink);
  expect(sink.take()).toEqual(['{"author":[]}']);
  stop();
  const prepared = await prepare();
  generation = generationWith(["id"]);
  await expect(prepared.subscribe(sink)).rejects.toThrow("field 'name' not found in type: 'author'");
  expect([sink.take(), live.counters.live.activeSubscriptions]).toEqual([[], 0]);
});
