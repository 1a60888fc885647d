import { expect, it } from "vitest";
import { graphqlService } from "../../../runtime/execute/services.ts";
import { LiveQueries } from "../../../runtime/execute/subscribe/live-queries.ts";
import { uninterrupted } from "../../../runtime/ports/continuity.ts";
import { AdmittedSession } from "../../../runtime/values/admitted-session.ts";
import { execution, polling } from "../../support/compiled.ts";
import { readerGenerations } from "./reader-generations.ts";
import { NotedSink } from "./subscribe/scripted.ts";

it("a subscription that the metadata overtakes before it begins is planned by the new metadata", async () => {
  const generationWith = await readerGenerations({ query: async () => [["[]"]] });
  let generation = generationWith(["id", "name"]);
  const live = new LiveQueries({ settings: { live: polling, stream: polling }, continuity: uninterrupted });
  const service = graphqlService(() => generation, execution, live);
  const session = { role: "reader", variables: new Map<string, string>(), backendOnly: false };
  const prepare = async () => {
    const request = { query: "subscription { author { name } }", operationName: null, variables: null };
    const prepared = await service.prepare(request, new AdmittedSession(session));
    if (prepared.kind !== "subscription") throw new Error("a subscription is prepared as one");
    return prepared;
  };
  const sink = new NotedSink();
  const { stop } = await (await prepare()).subscribe(sink);
  expect(sink.take()).toEqual(['{"author":[]}']);
  stop();
  const overtaken = await prepare();
  generation = generationWith(["id"]);
  await expect(overtaken.subscribe(sink)).rejects.toThrow("field 'name' not found in type: 'author'");
  expect([sink.take(), live.counters.live.activeSubscriptions]).toEqual([[], 0]);
});
