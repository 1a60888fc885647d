/** Operations in progress while the process is suspended and other instances change the metadata. */
import { beforeEach, describe, expect, it } from "vitest";
import type { TransactionOptions } from "../../../runtime/databases/sources/source.ts";
import { MemoryStore } from "../../../runtime/execute/caching/memory-store.ts";
import { ResponseCache } from "../../../runtime/execute/caching/response-cache.ts";
import type { Generation } from "../../../runtime/execute/generation.ts";
import { PinnedGeneration, runOnCurrentGeneration } from "../../../runtime/execute/pinned-generation.ts";
import { graphqlService } from "../../../runtime/execute/services.ts";
import { LiveQueries } from "../../../runtime/execute/subscribe/live-queries.ts";
import { CombinedValidity } from "../../../runtime/http/response-validity.ts";
import type { Continuity } from "../../../runtime/ports/continuity.ts";
import type { GraphqlService, ResponseValidity } from "../../../runtime/ports/graphql.ts";
import { noMeters } from "../../../runtime/ports/metrics.ts";
import { AdmittedSession } from "../../../runtime/values/admitted-session.ts";
import { EngineError } from "../../../runtime/values/errors.ts";
import { execution, polling } from "../../support/compiled.ts";
import { readerGenerations } from "./reader-generations.ts";

const by = new AdmittedSession({ role: "reader", variables: new Map<string, string>(), backendOnly: false });
const request = (query: string) => ({ query, operationName: null, variables: null });
const read = request("{ author { name } }");
const cachedRead = request("query @cached { author { name } }");
const write = request('mutation { insert_author_one(object: {name: "A"}) { name } }');
const writes = request(
  'mutation { a: insert_author_one(object: {name: "A"}) { name } b: insert_author_one(object: {name: "B"}) { name } }',
);

let generationWith: (columns: readonly string[]) => Generation;
let generation: Generation;
let service: GraphqlService;
let sent: string[];
let committed: number;
/** Called while a statement is sent or waits for a connection. */
let onStatement: () => void;

/** A process whose suspension is detected at the next check. */
class ManualContinuity implements Continuity {
  standstills = 0;
  #change: (() => void) | undefined;

  /**
   * Simulates a suspension.
   * @param change applies the metadata changes of other instances; all operations wait for it
   */
  suspend(change: () => void): void {
    this.#change = change;
  }

  settled(): Promise<void> | undefined {
    const change = this.#change;
    if (!change) return undefined;
    this.#change = undefined;
    this.standstills++;
    return Promise.resolve().then(change);
  }
}

/** Shares one response cache between all generations. */
function cachedService(): GraphqlService {
  const live = new LiveQueries({ settings: { live: polling, stream: polling }, continuity });
  const responses = { cache, clearing: cache, realmOf: () => "all" };
  return graphqlService(() => generation, { ...execution, continuity, responses }, live);
}

const runPinned = (kind: "query" | "mutation", pinned: PinnedGeneration, run: () => Promise<string>) =>
  runOnCurrentGeneration({ kind, pinned, run, retryOnCurrentGeneration: async () => "retried" }, undefined);

const revoke = (): void => {
  generation = generationWith(["id"]);
};

beforeEach(async () => {
  sent = [];
  committed = 0;
  onStatement = () => {};
  const pass = async (): Promise<void> => {
    const handler = onStatement;
    onStatement = () => {};
    handler();
  };
  const respond = async (text: string) => {
    sent.push(text);
    await pass();
    return [['{"name": "A"}']];
  };
  generationWith = await readerGenerations({
    query: ({ text }) => respond(text),
    executeAlone: async ({ beforeSending }: TransactionOptions, { text }) => {
      await pass();
      await beforeSending?.();
      return respond(text);
    },
    transaction: async (_options, work) => {
      const query = ({ text }: { readonly text: string }) => respond(text);
      const runSql = () => Promise.reject(new Error("unexpected run_sql"));
      const result = await work({ query, queryLast: query, runSql, probe: query, isEnded: false });
      committed++;
      return result;
    },
  });
  generation = generationWith(["id", "name"]);
  continuity = new ManualContinuity();
  const failed = (error: unknown): void => expect.fail(String(error));
  cache = new ResponseCache({
    store: new MemoryStore(1_000_000),
    meters: noMeters,
    maxSeconds: 60,
    maxBytes: 1000,
    failed,
  });
  const live = new LiveQueries({ settings: { live: polling, stream: polling }, continuity });
  service = graphqlService(() => generation, { ...execution, continuity }, live);
});

let continuity: ManualContinuity;
let cache: ResponseCache;

const notFound = "field 'name' not found in type: 'author'";
const noInput = "field 'name' not found in type: 'author_insert_input'";

describe("Permissions revoked while the process is suspended", () => {
  it("After a suspension, a request waits for the metadata change before it is planned", async () => {
    continuity.suspend(revoke);
    await expect(service.execute(read, by)).rejects.toThrow(notFound);
    continuity.suspend(revoke);
    await expect(service.prepare(read, by)).rejects.toThrow(notFound);
    expect(sent).toEqual([]);
  });

  it("After a suspension, the result of a query in progress is withheld if its permission was revoked", async () => {
    onStatement = () => continuity.suspend(revoke);
    await expect(service.execute(read, by)).rejects.toThrow(notFound);
    generation = generationWith(["id", "name"]);
    const prepared = await service.prepare(read, by);
    onStatement = () => continuity.suspend(revoke);
    await expect(prepared.kind === "query" && prepared.run()).rejects.toThrow(notFound);
    expect(sent).toHaveLength(2);
  });

  it("A query result is withheld even if another request noticed the suspension first", async () => {
    onStatement = () => {
      continuity.standstills++;
      revoke();
    };
    await expect(service.execute(read, by)).rejects.toThrow(notFound);
  });

  it("A query result carries a validity that its sender can recheck", async () => {
    const validities: ResponseValidity[] = [];
    const headers = { validWhile: (validity: ResponseValidity) => void validities.push(validity) };
    await service.execute(read, by, undefined, headers);
    expect(validities.map((validity) => validity.isCurrent())).toEqual([true]);
    continuity.suspend(() => undefined);
    expect(await Promise.all(validities.map((validity) => validity.isCurrent()))).toEqual([true]);
    continuity.suspend(revoke);
    expect(await Promise.all(validities.map((validity) => validity.isCurrent()))).toEqual([false]);
    generation = generationWith(["id", "name"]);
    await service.execute(write, by, undefined, headers);
    expect(validities).toHaveLength(1);
  });

  it("After a suspension, the response has no error of the discarded attempt", async () => {
    const validity = new CombinedValidity();
    const error = (message: string) => validity.addError(new EngineError("unexpected", "$", message));
    const run = async (): Promise<string> => {
      error("The first attempt read a hidden value");
      continuity.suspend(revoke);
      return "first";
    };
    const retryOnCurrentGeneration = async (): Promise<string> => {
      error("The second attempt failed");
      return "second";
    };
    const pinned = new PinnedGeneration(generation, () => generation, continuity);
    const attempt = { kind: "query", pinned, run, retryOnCurrentGeneration } as const;
    expect(await runOnCurrentGeneration(attempt, validity)).toBe("second");
    expect(validity.errors.map(({ message }) => message)).toEqual(["The second attempt failed"]);
  });

  it("After a suspension, a mutation that waited for a connection is not sent if its permission was revoked", async () => {
    onStatement = () => continuity.suspend(revoke);
    await expect(service.execute(write, by)).rejects.toThrow(noInput);
    expect(sent).toEqual([]);
  });

  it("A mutation that ran before a suspension returns its result", async () => {
    let connected = false;
    onStatement = () => {
      // The first call is for a connection, the next one for the statement.
      connected = true;
      onStatement = () => continuity.suspend(revoke);
    };
    expect(await service.execute(write, by)).toBe('{"insert_author_one":{"name": "A"}}');
    expect([connected, sent.length]).toEqual([true, 1]);
  });

  it("After a suspension, a cached response is withheld if its permission was revoked", async () => {
    await cachedService().execute(cachedRead, by);
    const response = cachedService().execute(cachedRead, by);
    continuity.suspend(revoke);
    await expect(response).rejects.toThrow(notFound);
    expect(sent).toHaveLength(1);
  });

  it("After a suspension that changed the metadata, a cached query in progress runs again", async () => {
    onStatement = () =>
      continuity.suspend(() => {
        generation = generationWith(["id", "name", "born"]);
      });
    await cachedService().execute(cachedRead, by);
    expect(sent).toHaveLength(2);
  });

  it("A query that has already written fails with a conflict after a suspension and is not retried", async () => {
    const pinned = new PinnedGeneration(generation, () => generation, continuity);
    const response = runPinned("query", pinned, async () => {
      await pinned.beforeWrite();
      continuity.suspend(revoke);
      return "{}";
    });
    await expect(response).rejects.toMatchObject({ code: "conflict", status: 409 });
  });

  it("A second write after a suspension is refused with a conflict, and the mutation is not retried", async () => {
    const pinned = new PinnedGeneration(generation, () => generation, continuity);
    const response = runPinned("mutation", pinned, async () => {
      await pinned.beforeWrite();
      continuity.suspend(revoke);
      await pinned.beforeWrite();
      return "{}";
    });
    await expect(response).rejects.toMatchObject({ code: "conflict", status: 409 });
  });

  it("A first write after a suspension is refused, and the mutation is retried on the current generation", async () => {
    const pinned = new PinnedGeneration(generation, () => generation, continuity);
    const response = runPinned("mutation", pinned, async () => {
      continuity.suspend(revoke);
      await pinned.beforeWrite();
      return "{}";
    });
    expect(await response).toBe("retried");
  });

  it("After a suspension, a transaction with further statements is rolled back if its permission was revoked", async () => {
    onStatement = () => continuity.suspend(revoke);
    await expect(service.execute(writes, by)).rejects.toThrow(noInput);
    expect([sent.length, committed]).toEqual([1, 0]);
  });
});

describe("Operations after a suspension", () => {
  it("Operations complete after a suspension without a metadata change", async () => {
    for (const operation of [read, write, writes]) {
      onStatement = () => continuity.suspend(() => {});
      await service.execute(operation, by);
    }
    expect(sent).toHaveLength(4);
  });

  it("After a suspension, a query that is still permitted runs with the new metadata", async () => {
    onStatement = () =>
      continuity.suspend(() => {
        generation = generationWith(["id", "name", "born"]);
      });
    expect(await service.execute(read, by)).toContain("author");
    expect(sent).toHaveLength(2);
  });

  it("After a suspension, a mutation that is still permitted takes effect once, with the new metadata", async () => {
    for (const operation of [write, writes]) {
      sent = [];
      onStatement = () =>
        continuity.suspend(() => {
          generation = generationWith(["id", "name", "born"]);
        });
      expect(await service.execute(operation, by)).toContain("name");
    }
    // The first attempt of the two writes was rolled back.
    expect([sent.length, committed]).toEqual([3, 1]);
  });
});

it("Without a suspension, a request completes on the metadata that it started with", async () => {
  onStatement = revoke;
  expect(await service.execute(read, by)).toContain("author");
});
