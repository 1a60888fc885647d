/** Yields the webhook or saved operation of each cron trigger, with its schedule. */
import type { Analysis } from "../2-analyze/analysis.ts";
import { lowerCronTrigger } from "../3-lower/cron-triggers.ts";
import { hash } from "../catalog/canonical.ts";
import type { CronTriggerAccess } from "./model.ts";

export function* cronTriggerAccesses({
  cronTriggers,
}: Pick<Analysis, "cronTriggers">): Iterable<readonly [string, CronTriggerAccess]> {
  for (const [name, trigger] of cronTriggers) {
    const {
      webhook,
      operation,
      schedule,
      timezone,
      payload,
      comment: _,
      name: __,
      ...rules
    } = lowerCronTrigger(trigger);
    const { url, headers, requestTransform, responseTransform, signingSecrets = [], retry } = webhook;
    const address = "fromEnv" in url ? `the address in ${url.fromEnv}` : url.template;
    yield [
      name,
      {
        action: operation
          ? `query ${operation.operation.name} of collection ${operation.operation.collection} as ${operation.role}`
          : address,
        schedule: `${schedule} (${timezone})`,
        headers: hash(headers),
        requestTransform: hash(requestTransform ?? null),
        payload: hash(payload),
        sessionVariables: hash(operation?.sessionVariables ?? null),
        signedWith: signingSecrets,
        otherSettings: hash({ retry, responseTransform, ...rules }),
      },
    ];
  }
}
