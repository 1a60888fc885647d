/** What becomes of operations under way when the process stands still, and others change the metadata meanwhile. */
import { beforeEach, describe, expect, it } from "vitest";
import type { TransactionOptions } from "../../../runtime/databases/sources/source.ts";
import type { Generation } from "../../../runtime/execute/generation.ts";
import { graphqlService } from "../../../runtime/execute/services.ts";
import { LiveQueries } from "../../../runtime/execute/subscribe/live-queries.ts";
import type { Continuity } from "../../../runtime/ports/continuity.ts";
import type { AnswerBasis, GraphqlService } from "../../../runtime/ports/graphql.ts";
import { AdmittedSession } from "../../../runtime/values/admitted-session.ts";
import { execution, polling } from "../../support/compiled.ts";
import { readerGenerations } from "./reader-generations.ts";

const by = new AdmittedSession({ role: "reader", variables: new Map<string, string>(), backendOnly: false });
const request = (query: string) => ({ query, operationName: null, variables: null });
const read = request("{ author { name } }");
const write = request('mutation { insert_author_one(object: {name: "A"}) { name } }');
const writes = request(
  'mutation { a: insert_author_one(object: {name: "A"}) { name } b: insert_author_one(object: {name: "B"}) { name } }',
);

let generationWith: (columns: readonly string[]) => Generation;
let generation: Generation;
let service: GraphqlService;
let sent: string[];
let committed: number;
/** Called when a statement is on its way, or waits for a connection. */
let meanwhile: () => void;

/** A process whose standstill is noticed when somebody asks next. */
class HandContinuity implements Continuity {
  standstills = 0;
  #noticed: (() => void) | undefined;

  /** @param change what others did meanwhile, taken over while all wait */
  standStill(change: () => void): void {
    this.#noticed = change;
  }

  settled(): Promise<void> | undefined {
    const change = this.#noticed;
    if (!change) return undefined;
    this.#noticed = undefined;
    this.standstills++;
    return Promise.resolve().then(change);
  }
}

const revoke = (): void => {
  generation = generationWith(["id"]);
};

beforeEach(async () => {
  sent = [];
  committed = 0;
  meanwhile = () => {};
  const pass = async (): Promise<void> => {
    const happens = meanwhile;
    meanwhile = () => {};
    happens();
  };
  const answer = async (text: string) => {
    sent.push(text);
    await pass();
    return [['{"name": "A"}']];
  };
  generationWith = await readerGenerations({
    query: ({ text }) => answer(text),
    executeAlone: async ({ beforeSending }: TransactionOptions, { text }) => {
      await pass();
      await beforeSending?.();
      return answer(text);
    },
    transaction: async (_options, work) => {
      const query = ({ text }: { readonly text: string }) => answer(text);
      const runSql = () => Promise.reject(new Error("nobody asks for that"));
      const result = await work({ query, queryLast: query, runSql, probe: query, isEnded: false });
      committed++;
      return result;
    },
  });
  generation = generationWith(["id", "name"]);
  continuity = new HandContinuity();
  const live = new LiveQueries({ settings: { live: polling, stream: polling }, continuity });
  service = graphqlService(() => generation, { ...execution, continuity }, live);
});

let continuity: HandContinuity;

const notFound = "field 'name' not found in type: 'author'";
const noInput = "field 'name' not found in type: 'author_insert_input'";

describe("after a standstill in which a permission was taken away", () => {
  it("a request waits for the change before it is planned", async () => {
    continuity.standStill(revoke);
    await expect(service.execute(read, by)).rejects.toThrow(notFound);
    continuity.standStill(revoke);
    await expect(service.prepare(read, by)).rejects.toThrow(notFound);
    expect(sent).toEqual([]);
  });

  it("the answer of a query that was under way is not given", async () => {
    meanwhile = () => continuity.standStill(revoke);
    await expect(service.execute(read, by)).rejects.toThrow(notFound);
    generation = generationWith(["id", "name"]);
    const prepared = await service.prepare(read, by);
    meanwhile = () => continuity.standStill(revoke);
    await expect(prepared.kind === "query" && prepared.run()).rejects.toThrow(notFound);
    expect(sent).toHaveLength(2);
  });

  it("nor is it where somebody else has noticed the standstill, and the change is there", async () => {
    meanwhile = () => {
      continuity.standstills++;
      revoke();
    };
    await expect(service.execute(read, by)).rejects.toThrow(notFound);
  });

  it("whoever sends the answer of a query finds out that it does not hold any more", async () => {
    const bases: AnswerBasis[] = [];
    const headers = { restOn: (basis: AnswerBasis) => void bases.push(basis) };
    await service.execute(read, by, undefined, headers);
    expect(bases.map((basis) => basis.holds())).toEqual([true]);
    continuity.standStill(() => undefined);
    expect(await Promise.all(bases.map((basis) => basis.holds()))).toEqual([true]);
    continuity.standStill(revoke);
    expect(await Promise.all(bases.map((basis) => basis.holds()))).toEqual([false]);
    generation = generationWith(["id", "name"]);
    await service.execute(write, by, undefined, headers);
    expect(bases).toHaveLength(1);
  });

  it("a mutation that waited for a connection is not sent", async () => {
    meanwhile = () => continuity.standStill(revoke);
    await expect(service.execute(write, by)).rejects.toThrow(noInput);
    expect(sent).toEqual([]);
  });

  it("a mutation that has run answers as it did", async () => {
    let connected = false;
    meanwhile = () => {
      // The next thing that happens is its statement.
      connected = true;
      meanwhile = () => continuity.standStill(revoke);
    };
    expect(await service.execute(write, by)).toBe('{"insert_author_one":{"name": "A"}}');
    expect([connected, sent.length]).toEqual([true, 1]);
  });

  it("a transaction that has more to send is given up", async () => {
    meanwhile = () => continuity.standStill(revoke);
    await expect(service.execute(writes, by)).rejects.toThrow(noInput);
    expect([sent.length, committed]).toEqual([1, 0]);
  });
});

describe("after a standstill", () => {
  it("operations go on where nobody changed anything", async () => {
    for (const operation of [read, write, writes]) {
      meanwhile = () => continuity.standStill(() => {});
      await service.execute(operation, by);
    }
    expect(sent).toHaveLength(4);
  });

  it("a query whose role may still ask is answered by the new metadata", async () => {
    meanwhile = () =>
      continuity.standStill(() => {
        generation = generationWith(["id", "name", "born"]);
      });
    expect(await service.execute(read, by)).toContain("author");
    expect(sent).toHaveLength(2);
  });

  it("a mutation whose role may still write runs once, by the new metadata", async () => {
    for (const operation of [write, writes]) {
      sent = [];
      meanwhile = () =>
        continuity.standStill(() => {
          generation = generationWith(["id", "name", "born"]);
        });
      expect(await service.execute(operation, by)).toContain("name");
    }
    // The first of two was rolled back with its transaction.
    expect([sent.length, committed]).toEqual([3, 1]);
  });
});

it("without a standstill a request is answered on the metadata that it began with", async () => {
  meanwhile = revoke;
  expect(await service.execute(read, by)).toContain("author");
});
