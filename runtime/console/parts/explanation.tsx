/** Explanation of access: verdict, checks, and the parts of row filters with their truth. */
import type { ExplainedPart, Explanation, ExplanationStep } from "../http/explain-api.ts";
import type { Json } from "../http/metadata-types.ts";
import { Icon, type IconName } from "./icon.tsx";

type Tone = "good" | "bad" | "warn";

interface Mark {
  readonly icon: IconName;
  readonly tone: Tone;
  readonly text: string;
}

const verdicts: Readonly<Record<Explanation["verdict"], Mark>> = {
  allowed: { icon: "check", tone: "good", text: "Allowed" },
  denied: { icon: "close", tone: "bad", text: "Denied" },
  depends: { icon: "help", tone: "warn", text: "Depends on the row" },
};

const results: Readonly<Record<ExplanationStep["result"], Mark>> = {
  passed: { icon: "check", tone: "good", text: "Passed" },
  failed: { icon: "close", tone: "bad", text: "Failed" },
  unknown: { icon: "help", tone: "warn", text: "Unknown" },
};

/** Deeper parts are within the expressions of the shown ones. */
const maxDepth = 20;

export function ExplanationView({ explanation }: { readonly explanation: Explanation }) {
  const { verdict, reason, steps, rows, check } = explanation;
  const { tone, text } = verdicts[verdict];
  return (
    <div class="explanation">
      <p class="explanation-verdict" role="status">
        <span class={`badge ${tone}`}>{text}</span> <bdi>{reason}</bdi>
      </p>
      <h3>Checks</h3>
      <ul class="explanation-steps">
        {steps.map((step, index) => (
          <li key={index}>
            <MarkIcon mark={results[step.result]} />
            <span>
              <bdi>{step.reason}</bdi>
              {step.hint !== undefined && (
                <span class="field-hint">
                  <bdi>{step.hint}</bdi>
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      {rows && <FilterView title="Row filter" filter={rows} />}
      {check && <FilterView title="Check of written rows" filter={check} />}
    </div>
  );
}

function FilterView({ title, filter }: { readonly title: string; readonly filter: ExplainedPart }) {
  return (
    <>
      <h3>{title}</h3>
      <ul class="explanation-parts">
        <Part part={filter} depth={0} />
      </ul>
    </>
  );
}

function Part({ part, depth }: { readonly part: ExplainedPart; readonly depth: number }) {
  const { role, permission, expression, parts = [] } = part;
  const inner = depth < maxDepth ? parts : [];
  return (
    <li>
      <span class="explanation-part">
        {part.result !== undefined && <MarkIcon mark={truthMark(part.result)} />}
        {role !== undefined && <span class="badge">{role}</span>}
        <code>{inner.length > 0 && permission === undefined ? nameOf(expression) : JSON.stringify(expression)}</code>
        {permission !== undefined && <span class="muted">{`select permission on ${permission}`}</span>}
      </span>
      {inner.length > 0 && (
        <ul class="explanation-parts">
          {inner.map((each, index) => (
            <Part key={index} part={each} depth={depth + 1} />
          ))}
        </ul>
      )}
    </li>
  );
}

function truthMark(result: boolean | null): Mark {
  if (result === null) return { icon: "help", tone: "warn", text: "Unknown, which counts as false" };
  return result ? { icon: "check", tone: "good", text: "True" } : { icon: "close", tone: "bad", text: "False" };
}

function MarkIcon({ mark: { icon, tone, text } }: { readonly mark: Mark }) {
  return (
    <span class={`explanation-mark ${tone}`} title={text}>
      <Icon name={icon} />
      <span class="visually-hidden">{`${text}: `}</span>
    </span>
  );
}

/** Returns the operator or relationship of a part that has parts. */
const nameOf = (expression: Json): string => Object.keys(Object(expression))[0] ?? "{}";
