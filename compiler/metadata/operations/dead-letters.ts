/** Arguments of the operations on dead letters: deliveries that failed and are not retried. */

import { nonEmptyList, object, oneOf } from "../../catalog/schema/combinators.ts";
import { bool, nonEmptyText, nonNegativeInt, sourceName } from "../../catalog/schema/scalars.ts";
import { instant, oneOrSome, storableText } from "../arguments.ts";
import { ioOperation } from "../operation.ts";

/** Kinds of dead letters, in the order of documentation. */
export const deadLetterKinds = ["event", "cron", "one_off", "action"] as const;
export type DeadLetterKind = (typeof deadLetterKinds)[number];

const maxLetters = 2000;
const maxOffset = 10_000;
const maxIds = 1000;

const kind = oneOf<DeadLetterKind>(deadLetterKinds);

const aboutFilter = {
  kind: "`event` of an event trigger, `cron`, `one_off`, `action` for asynchronous actions, or a list. Default: all.",
  source: "Source of the event triggers; excludes all other kinds. Default: all sources.",
  name: "Name of the event trigger, cron trigger or action. Default: all.",
  from: "Time of the earliest letter: creation of an event or call, or scheduled time. Default: no limit.",
  to: "Time after the latest letter. Default: no limit.",
};
const filter = { kind: oneOrSome(kind), source: sourceName, name: nonEmptyText, from: instant, to: instant };

const getArguments = object({
  about: {
    ...aboutFilter,
    limit: `Maximum number of letters, up to ${maxLetters}.`,
    offset: `Number of letters to skip, up to ${maxOffset}; \`to\` pages further.`,
    get_rows_count: "Adds the total number as `count` to the response.",
  },
  defaulted: {
    limit: nonNegativeInt()
      .refine((value) => value <= maxLetters, `expected at most ${maxLetters}`)
      .default(50),
    offset: nonNegativeInt()
      .refine((value) => value <= maxOffset, `expected at most ${maxOffset}`)
      .default(0),
    get_rows_count: bool.default(false),
  },
  optional: filter,
});

const letter = object({
  about: {
    kind: "Kind of the letter.",
    id: "Id of the event or call.",
    source: "Source of an event of an event trigger; required for these.",
  },
  required: { kind, id: storableText },
  optional: { source: sourceName },
}).refine(({ kind: of, source }) => of !== "event" || source !== undefined, "events of event triggers need a source");

const replayArguments = object({
  about: {
    letters: `Letters to replay, up to ${maxIds}, instead of a filter.`,
    ...aboutFilter,
  },
  optional: {
    letters: nonEmptyList(letter).refine((list) => list.length <= maxIds, `expected at most ${maxIds} letters`),
    ...filter,
  },
}).superRefine(({ letters, ...others }, context) => {
  const hasFilter = Object.values(others).some((value) => value !== undefined);
  const refuse = (message: string) => context.addIssue({ code: "custom", message });
  if (letters === undefined && !hasFilter) refuse("expected letters, kind, source, name, from or to");
  if (letters !== undefined && hasFilter) refuse("letters cannot be combined with kind, source, name, from and to");
});

export const deadLetterOperations = [
  ioOperation("get_dead_letters", {
    about:
      "Returns dead letters, the newest first: events of event triggers, events of schedules and calls of asynchronous actions that failed and are not retried, each with its reason and payload. `unavailable_sources` names sources that could not be read.",
    endpoints: { metadata: "plain" },
    input: getArguments,
  }),
  ioOperation("replay_dead_letters", {
    about:
      "Delivers dead letters again: those of a list, or all that match a filter. `replayed` is their number; letters that were replayed or deleted in the meantime count as `skipped`.",
    endpoints: { metadata: "plain" },
    input: replayArguments,
    writes: () => true,
  }),
];
