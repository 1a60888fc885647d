/** Cases with event triggers, whose webhook is in this process. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { SourceKind } from "../../../../compiler/catalog/model.ts";
import { messageOf } from "../../../values/message-of.ts";
import { type CheckContext, CheckFailure, dataOf, expectEqual, type Program, Skipped } from "../context.ts";

interface Payload {
  readonly event?: { readonly op?: string; readonly data?: unknown };
}

/** Maximum wait in milliseconds for an event. */
const patience = 20_000;

async function webhook() {
  const received: Payload[] = [];
  let notify: () => void = () => undefined;
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      received.push(JSON.parse(body) as Payload);
      response.end("{}");
      notify();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async next(): Promise<Payload> {
      const end = performance.now() + patience;
      while (received.length === 0) {
        const rest = end - performance.now();
        if (rest <= 0) throw new CheckFailure(`no event arrived within ${patience / 1000} seconds`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, rest);
          notify = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      return received.shift() as Payload;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const prefixes: Readonly<Record<SourceKind, string>> = { postgres: "pg", mssql: "mssql" };
const schemas: Readonly<Record<SourceKind, string>> = { postgres: "public", mssql: "dbo" };

/** Runs `work` with an event trigger on shelves. */
async function withTrigger(
  context: CheckContext,
  work: (next: () => Promise<Payload>) => Promise<void>,
): Promise<void> {
  const { kind, post } = context;
  const hook = await webhook();
  try {
    const table = { schema: schemas[kind], name: "shelf" };
    const all = { columns: "*" };
    const args = { name: "check", source: "default", table, webhook: hook.url, insert: all, update: all, delete: all };
    const created = await post("/v1/metadata", { type: `${prefixes[kind]}_create_event_trigger`, args });
    expectEqual(created, { message: "success" }, "creation of the event trigger");
    await work(hook.next);
  } finally {
    await post("/v1/metadata", {
      type: `${prefixes[kind]}_delete_event_trigger`,
      args: { name: "check", source: "default" },
    });
    hook.close();
  }
}

const before = { floor: 2, place: 1, label: "C" };

const delivered = (context: CheckContext): Promise<void> =>
  withTrigger(context, async (next) => {
    const { post } = context;
    await dataOf(post, 'mutation { insert_shelf_one(object: {floor: 9, place: 1, label: "é"}) { label } }');
    const inserted = { op: "INSERT", data: { old: null, new: { floor: 9, place: 1, label: "é" } } };
    expectEqual(eventOf(await next()), inserted, "event of an insert");
    await dataOf(post, 'mutation { update_shelf(where: {floor: {_eq: 2}}, _set: {label: "c"}) { affected_rows } }');
    const updated = { op: "UPDATE", data: { old: before, new: { ...before, label: "c" } } };
    expectEqual(eventOf(await next()), updated, "event of an update that changes the case of a text");
  });

const eventOf = ({ event }: Payload): unknown => ({ op: event?.op, data: event?.data });

/** Another application's user, who has no right to the tables of events; `%` is the write. */
const asOther: Readonly<Record<SourceKind, (write: string) => string>> = {
  postgres: (write) =>
    `create role engine_check_other; grant insert on shelf to engine_check_other; grant usage on schema public to engine_check_other;
begin; set local role engine_check_other; ${write}; commit; drop owned by engine_check_other; drop role engine_check_other`,
  mssql: (write) =>
    `create user engine_check_other without login; grant insert on dbo.shelf to engine_check_other;
execute as user = N'engine_check_other'; ${write}; revert; drop user engine_check_other`,
};

const otherLogin = (context: CheckContext): Promise<void> =>
  withTrigger(context, async (next) => {
    const { kind, target } = context;
    const write = `insert into ${schemas[kind]}.shelf (floor, place, label) values (8, 1, 'other')`;
    await target.sql(asOther[kind](write)).catch((error: unknown) => {
      const message = messageOf(error);
      if (/permission denied to create role|CREATE USER/i.test(message)) throw new Skipped(message);
      throw new CheckFailure(`the write of another user failed: ${message}`, write);
    });
    const expected = { op: "INSERT", data: { old: null, new: { floor: 8, place: 1, label: "other" } } };
    expectEqual(eventOf(await next()), expected, "event of another user's insert");
  });

export const events: Program = (context) => [
  { name: "inserts and updates reach a webhook", run: () => delivered(context) },
  { name: "a user without rights to the tables of events", run: () => otherLogin(context) },
];
