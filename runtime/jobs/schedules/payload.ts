/** The payload of a scheduled webhook call (`docs/how-to/schedules.md`). */
export interface ScheduledPayload {
  readonly id: string;
  readonly scheduledTime: Date;
  /** JSON text, embedded unchanged so that long numbers keep their digits. */
  readonly payload: string;
  /** Name of a cron trigger. */
  readonly name?: string;
  /** Creation time of a one-off event. */
  readonly createdAt?: Date;
  readonly comment?: string;
  /** In the form of the metadata. */
  readonly requestTransform?: object;
  readonly responseTransform?: object;
}

/** Returns the payload as JSON text, without absent members. */
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

/** Formats a time as ISO 8601 in UTC, without trailing zeros in the fraction. */
function timeText(time: Date): string {
  return time.toISOString().replace(/\.?0*Z$/, "Z");
}
