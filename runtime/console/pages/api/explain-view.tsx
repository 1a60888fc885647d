/** Execution plan of the operation: its SQL, and the plan tree with the costliest node marked. */
import { useState } from "preact/hooks";
import { type ExplainedField, explain } from "../../http/graphql.ts";
import { Button } from "../../parts/button.tsx";
import { CodeView } from "../../parts/code-view.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { useSubmission } from "../../parts/use-submission.ts";
import { currentCall } from "./run.ts";
import { sessionVariables } from "./session.ts";

export function ExplainView() {
  const [fields, setFields] = useState<readonly ExplainedField[] | null>(null);
  const {
    isBusy,
    error,
    submit: showPlan,
  } = useSubmission(async () => {
    setFields(await explain(currentCall(), await sessionVariables()));
  });
  return (
    <div class="explain stack">
      <div class="row">
        <Button icon="clock" busy={isBusy} onClick={() => void showPlan()}>
          Explain
        </Button>
        <span class="muted">Shows the plan without running the query.</span>
      </div>
      {error !== null && <ErrorBox error={error} />}
      {!fields && error === null && <Empty title="No plan yet" />}
      {fields?.map((field) => (
        <FieldPlan key={field.field} field={field} />
      ))}
    </div>
  );
}

function FieldPlan({ field: { field, sql, plan } }: { readonly field: ExplainedField }) {
  const tree = plan && planTree(plan);
  return (
    <section class="card explain-field stack" aria-label={`Plan of ${field}`}>
      <h2>
        <bdi>{field}</bdi>
      </h2>
      {tree && <PlanDrawing root={tree} />}
      {plan && !tree && <pre class="code-block">{plan.join("\n")}</pre>}
      {sql !== null && (
        <div class="explain-sql">
          <CodeView text={sql} language="sql" label={`SQL of ${field}`} />
        </div>
      )}
      {sql === null && <p class="muted">Runs no database query.</p>}
    </section>
  );
}

function PlanDrawing({ root }: { readonly root: PlanNode }) {
  return (
    <ul class="plan-tree">
      <Node node={root} total={root.cost} worst={costliest(root)} />
    </ul>
  );
}

interface NodeProps {
  readonly node: PlanNode;
  /** Total cost of the plan. */
  readonly total: number;
  readonly worst: PlanNode;
}

function Node({ node, total, worst }: NodeProps) {
  const { title, ownCost, rows, details, children } = node;
  const share = total === 0 ? 0 : Math.round((ownCost / total) * 100);
  return (
    <li>
      <div class={node === worst ? "plan-node worst" : "plan-node"}>
        <p class="spread">
          <bdi>{title}</bdi>
          <span class="row">
            {node === worst && <span class="badge warn">Highest cost</span>}
            <span class="muted">{`${share}%${rows === null ? "" : `, ${rows} ${rows === 1 ? "row" : "rows"}`}`}</span>
          </span>
        </p>
        <div class="plan-bar" aria-hidden="true">
          <div style={{ width: `${share}%` }} />
        </div>
        {details.map((detail) => (
          <code key={detail} class="plan-detail">
            {detail}
          </code>
        ))}
      </div>
      {children.length > 0 && (
        <ul class="plan-tree">
          {children.map((child, index) => (
            <Node key={`${index}${child.title}`} node={child} total={total} worst={worst} />
          ))}
        </ul>
      )}
    </li>
  );
}

// Parser for the text format of PostgreSQL plans.

interface PlanNode {
  /** Operation and target, such as `Seq Scan on loan`. */
  readonly title: string;
  /** Estimated total cost in planner units, including children. */
  readonly cost: number;
  /** Estimated cost without children. */
  readonly ownCost: number;
  readonly rows: number | null;
  /** Conditions and keys, verbatim. */
  readonly details: readonly string[];
  readonly children: readonly PlanNode[];
}

interface Open {
  readonly indent: number;
  readonly title: string;
  readonly cost: number;
  readonly rows: number | null;
  readonly details: string[];
  readonly children: Open[];
}

const nodeLine = /^(\s*)(?:->\s+)?(.+?)\s+\(cost=[\d.]+\.\.([\d.]+)(?: rows=(\d+))?/;

/** Parses a plan; `null` if the text has another format. */
function planTree(lines: readonly string[]): PlanNode | null {
  let root: Open | null = null;
  const path: Open[] = [];
  for (const line of lines) {
    const [, space = "", title = "", cost, rows] = nodeLine.exec(line) ?? [];
    if (cost === undefined) {
      path.at(-1)?.details.push(line.trim());
      continue;
    }
    const indent = space.length;
    const count = rows === undefined ? null : Number(rows);
    const node: Open = { indent, title, cost: Number(cost), rows: count, details: [], children: [] };
    while (path.length > 0 && (path.at(-1)?.indent ?? 0) >= indent) path.pop();
    path.at(-1)?.children.push(node);
    root ??= node;
    path.push(node);
  }
  return root && closed(root);
}

function closed({ indent: _, children, ...node }: Open): PlanNode {
  const below = children.reduce((sum, child) => sum + child.cost, 0);
  return { ...node, ownCost: Math.max(0, node.cost - below), children: children.map(closed) };
}

/** Returns the node with the highest own cost. */
function costliest(root: PlanNode): PlanNode {
  return root.children.map(costliest).reduce((max, node) => (node.ownCost > max.ownCost ? node : max), root);
}
