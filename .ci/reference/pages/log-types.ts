/** `docs/reference/log-types.md`: all types of log lines, with their members and an example. */
import {
  configurableLogTypes,
  internalLogTypes,
  type LogType,
  logLevels,
  logTypeTexts,
} from "../../../runtime/config/log-types.ts";
import { logExamples } from "../log-examples.ts";
import type { ReferencePage } from "../page.ts";
import { block, code, optionLink, page, sentence, table } from "../texts.ts";

const intro = `
Here you look up the types of log lines: the event that each reports, its level, and its members.
`;

const form = `
With \`--log-format json\`, each line is a JSON object with these members, and \`worker\` if there are several processes.
The types and the members of \`detail\` are part of the interface ([versions](versions.md)); texts may improve. Times are
in seconds, sizes in bytes. No line has secrets: values of headers are redacted or named by their variable.
`;

const members: readonly (readonly [string, string])[] = [
  ["`level`", `${logLevels.map(code).join(", ")}, or \`critical\` for an operation that stays incomplete`],
  ["`timestamp`", "the time, such as `2026-01-31T08:00:00.000+0000`"],
  ["`type`", "the type"],
  ["`trace_id`, `span_id`", "the trace of the request, if it is sampled"],
  ["`detail`", "the members of the type"],
];

function sectionOf(type: LogType): string {
  const { levels, doc } = logTypeTexts[type];
  const example = (logExamples as Readonly<Record<string, unknown>>)[type];
  return [
    `### ${code(type)}`,
    sentence(doc),
    ...(levels === "" ? [] : [`Level: ${levels}.`]),
    ...(example === undefined ? [] : [block("json", JSON.stringify(example, null, 2))]),
  ].join("\n\n");
}

export const logTypesPage: ReferencePage = {
  path: "docs/reference/log-types.md",
  render: () =>
    Promise.resolve(
      page(
        "# Log types",
        intro,
        "## Lines",
        form,
        table(["member", "value"], members),
        "## Types that you select",
        `${optionLink("enabledLogTypes", "`--enabled-log-types`")} selects them. The examples show \`detail\`.`,
        ...configurableLogTypes.map(sectionOf),
        "## Types that are always written",
        `${optionLink("logLevel", "`--log-level`")} is the minimum level of all lines.`,
        ...internalLogTypes.map(sectionOf),
      ),
    ),
};
