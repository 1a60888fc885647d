/** The programs of suites, by the names in `fixtures/database-check/suites.yaml`. */
import type { Program } from "../context.ts";
import { concurrency } from "./concurrency.ts";
import { connections } from "./connections.ts";
import { events } from "./events.ts";
import { isolation } from "./isolation.ts";
import { load } from "./load.ts";
import { nesting } from "./nesting.ts";
import { plans } from "./plans.ts";
import { subscriptions } from "./subscriptions.ts";
import { types } from "./types.ts";

export const programs: Readonly<Record<string, Program>> = {
  concurrency,
  connections,
  events,
  isolation,
  load,
  nesting,
  plans,
  subscriptions,
  types,
};
