/** Operations on cron triggers. */

import type { z } from "zod";
import type { ObjectId } from "../../2-analyze/object-id.ts";
import { writeCronTrigger } from "../../catalog/canonical/sections.ts";
import type { Json, JsonObject } from "../../catalog/model.ts";
import type { CronTrigger } from "../../catalog/outside-sources.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { createCronTrigger as createArguments, defaultScheduledRetryConf } from "../../catalog/schema/cron-triggers.ts";
import { nonEmptyText } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { noArguments } from "../arguments.ts";
import { put, set, without } from "../edit.ts";
import { hintFor, isInconsistent } from "../lookups.ts";
import { type Change, operation, type Request } from "../operation.ts";
import { transformsOf } from "../transforms.ts";

function noSuchTrigger({ catalog, path }: Request<unknown>, name: string): Result<never> {
  const names = catalog.cron_triggers.map((trigger) => trigger.name);
  return fail("not-exists", path, `cron trigger with name: ${name} does not exist`, hintFor(name, names));
}

function createTrigger(request: Request<z.output<typeof createArguments>>): Result<Change> {
  const { catalog, path, input } = request;
  const { replace, trigger } = input;
  const id: ObjectId = { kind: "cron_trigger", name: trigger.name };
  const exists = catalog.cron_triggers.some(({ name }) => name === trigger.name);
  if (replace && !exists) return noSuchTrigger(request, trigger.name);
  if (!replace && exists && !isInconsistent(request, id)) {
    return fail("already-exists", path, `cron trigger with name: ${trigger.name} already exists`);
  }
  const triggers = put(catalog.cron_triggers, trigger, ({ name }) => name === trigger.name);
  return ok({
    catalog: set(catalog, "cron_triggers", triggers),
    targets: [id],
    ...transformsOf(request, trigger),
  });
}

const deleteArguments = object({ about: { name: "Name of the cron trigger." }, required: { name: nonEmptyText } });

function deleteTrigger(request: Request<z.output<typeof deleteArguments>>): Result<Change> {
  const { catalog, input } = request;
  if (!catalog.cron_triggers.some(({ name }) => name === input.name)) return noSuchTrigger(request, input.name);
  const triggers = without(catalog.cron_triggers, ({ name }) => name === input.name);
  return ok({ catalog: set(catalog, "cron_triggers", triggers) });
}

/** Returns all cron triggers with defaults, including those left out of exported metadata. */
function getTriggers({ catalog }: Request<unknown>): Result<Json> {
  const triggers = [...catalog.cron_triggers].sort((a, b) => (a.name < b.name ? -1 : 1));
  return ok({ cron_triggers: triggers.map(describe) });
}

function describe(trigger: CronTrigger): JsonObject {
  return {
    ...writeCronTrigger(trigger),
    retry_conf: { ...defaultScheduledRetryConf, ...trigger.retry_conf },
    headers: (trigger.headers ?? []).map((header) => ({ ...header })),
  };
}

export const cronTriggerOperations = [
  operation("create_cron_trigger", {
    about: "Calls a webhook, or runs a saved operation, on a schedule.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: createArguments,
    check: "target",
    apply: createTrigger,
  }),
  operation("delete_cron_trigger", {
    about: "Removes a cron trigger, with its future events.",
    effect: "change",
    endpoints: { metadata: "plain", query: [1] },
    input: deleteArguments,
    check: "new-entries",
    apply: deleteTrigger,
  }),
  operation("get_cron_triggers", {
    about: "Returns all cron triggers, including those that are not exported.",
    effect: "read",
    endpoints: { metadata: "plain" },
    argsOptional: true,
    input: noArguments,
    read: getTriggers,
  }),
];
