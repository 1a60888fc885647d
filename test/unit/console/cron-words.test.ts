import { expect, it } from "vitest";
import { cronInWords } from "../../../runtime/console/pages/automation/cron-words.ts";

it.each([
  ["* * * * *", "Every minute, every day"],
  ["*/5 * * * *", "Every 5 minutes, every day"],
  ["0 3 * * *", "At 03:00, every day"],
  ["0,30 9,17 * * 1-5", "At 09:00, 09:30, 17:00 and 17:30, on Monday to Friday"],
  ["15 * * * *", "At minute 15 of every hour, every day"],
  ["15 */2 * * *", "At minute 15 of every 2nd hour, every day"],
  ["*/10 9-17 * * mon,WED", "Every 10 minutes of hour 09 to 17, on Monday and Wednesday"],
  ["0 0 1 * *", "At 00:00, on day 1 of the month"],
  ["0 0 1,15 1,7 *", "At 00:00, on day 1 and 15 of the month in January and July"],
  ["0 0 13 * 5", "At 00:00, on day 13 of the month or on Friday"],
  ["0 0 * * 7", "At 00:00, on Sunday"],
  ["5/15 * * * *", "At minute every 15th from 5 to 59 of every hour, every day"],
])("The schedule %s is described as %s", (expression, words) => {
  expect(cronInWords(expression)).toBe(words);
});

it.each(["", "never", "* * * *", "61 * * * *", "5-1 * * * *", "*/0 * * * *", "* * * * * *", "a,b * * * *"])(
  "The invalid schedule %j has no description",
  (expression) => {
    expect(cronInWords(expression)).toBeNull();
  },
);
