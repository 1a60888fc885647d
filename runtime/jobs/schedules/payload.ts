/** What a webhook is sent for a schedule (`docs/schedules.md`). */
export interface ScheduledPayload {
  readonly id: string;
  readonly scheduledTime: Date;
  /** JSON text, which is not written anew: long numbers keep their digits. */
  readonly payload: string;
  /** Of cron triggers. */
  readonly name?: string;
  /** Of one-off events. */
  readonly createdAt?: Date;
  readonly comment?: string;
  /** As the metadata has them. */
  readonly requestTransform?: object;
  readonly responseTransform?: object;
}

/** JSON text; what is absent is left out. */
export function payloadText(event: ScheduledPayload): string {
  const { id, scheduledTime, payload, name, createdAt, comment, requestTransform, responseTransform } = event;
  const members: readonly (readonly [string, string | undefined])[] = [
    ["scheduled_time", quoted(timeText(scheduledTime))],
    ["payload", payload],
    ["name", quoted(name)],
    ["id", quoted(id)],
    ["comment", quoted(comment)],
    ["created_at", quoted(createdAt && timeText(createdAt))],
    ["request_transform", requestTransform && JSON.stringify(requestTransform)],
    ["response_transform", responseTransform && JSON.stringify(responseTransform)],
  ];
  const given = members.flatMap(([key, text]) => (text === undefined ? [] : [`"${key}":${text}`]));
  return `{${given.join(",")}}`;
}

const quoted = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : JSON.stringify(text);

/** ISO 8601 in UTC, with as many digits of a second as there are. */
function timeText(time: Date): string {
  return time.toISOString().replace(/\.?0*Z$/, "Z");
}
