import { expect, it } from "vitest";
import { payloadText } from "../../../../runtime/jobs/schedules/payload.ts";

const scheduledTime = new Date("2020-06-02T13:30:00Z");

it("The payload of a cron event contains its metadata and the text of its payload unchanged", () => {
  const text = payloadText({
    id: "1",
    name: "daily",
    scheduledTime,
    payload: '{"n":12345678901234567890}',
    comment: 'a "b"',
  });
  expect(text).toBe(
    '{"scheduled_time":"2020-06-02T13:30:00Z","payload":{"n":12345678901234567890},"name":"daily","id":"1","comment":"a \\"b\\""}',
  );
});

it("The payload of a one-off event contains its creation time and its transforms", () => {
  const createdAt = new Date("2020-06-01T00:00:00.250Z");
  const text = payloadText({ id: "1", scheduledTime, payload: "null", createdAt, requestTransform: { version: 2 } });
  expect(JSON.parse(text)).toEqual({
    scheduled_time: "2020-06-02T13:30:00Z",
    payload: null,
    id: "1",
    created_at: "2020-06-01T00:00:00.25Z",
    request_transform: { version: 2 },
  });
});
