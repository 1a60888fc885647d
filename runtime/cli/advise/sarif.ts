/**
 * The report of `engine advise` as SARIF 2.1.0, the format of findings that code reviews show beside the lines:
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
import { relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { rules } from "../../../compiler/advice/advice.ts";
import type { Rule } from "../../../compiler/advice/model.ts";
import { visible } from "../diff/markdown.ts";
import { version } from "../version.ts";
import { type AdviceReport, type Reported, staleRule } from "./report.ts";

const schemaUri = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

const described: readonly Omit<Rule, "find" | "needs">[] = [...rules, staleRule];

/** @param root folder that the paths of files are relative to, usually the root of the repository */
export function adviceSarif(report: AdviceReport, root: string): string {
  const results = [
    ...report.findings.map((finding) => resultOf(finding, root)),
    ...report.accepted.map((finding) => ({
      ...resultOf(finding, root),
      suppressions: [{ kind: "external", status: "accepted", justification: visible(finding.exception) }],
    })),
  ];
  const log = {
    $schema: schemaUri,
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "engine advise", semanticVersion: version, rules: described.map(ruleOf) } },
        columnKind: "utf16CodeUnits",
        results,
        invocations: [
          {
            executionSuccessful: true,
            toolConfigurationNotifications: report.skipped.map(({ rule, reason }) => ({
              level: "note",
              message: { text: messageText(`not checked: ${reason}`) },
              associatedRule: { id: rule, index: described.findIndex(({ id }) => id === rule) },
            })),
          },
        ],
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const ruleOf = ({ id, title, about, severity }: (typeof described)[number]) => ({
  id,
  name: title.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()),
  shortDescription: { text: title },
  fullDescription: { text: about },
  defaultConfiguration: { level: severity },
});

function resultOf({ rule, severity, place, path, location, reason, fix }: Reported, root: string) {
  return {
    ruleId: rule,
    ruleIndex: described.findIndex(({ id }) => id === rule),
    level: severity,
    message: { text: messageText(`${reason}. To correct it, ${fix}.`) },
    locations: [
      {
        ...(location && {
          physicalLocation: {
            artifactLocation: { uri: uriOf(location.file, root) },
            region: { startLine: location.line, startColumn: location.column },
          },
        }),
        logicalLocations: [{ fullyQualifiedName: visible(place), decoratedName: visible(path) }],
      },
    ],
    // A finding stays the same one while lines move.
    partialFingerprints: { "place/v1": JSON.stringify([rule, place]) },
  };
}

/** Escapes the marks of links and placeholders in messages: names must not become links. */
function messageText(text: string): string {
  return visible(text)
    .replace(/[\\[\]]/g, "\\$&")
    .replace(/[{}]/g, "$&$&");
}

/** Returns a relative URI for files below the root, and a `file:` URI for others. */
function uriOf(file: string, root: string): string {
  const path = relative(root, resolve(file));
  if (path.startsWith("..") || resolve(path) === path) return pathToFileURL(resolve(file)).href;
  return path.split(sep).map(encodeURIComponent).join("/");
}
