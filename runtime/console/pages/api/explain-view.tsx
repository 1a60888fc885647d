/** How the database would run the operation: its SQL, and the plan with the node that costs most marked. */
import { useState } from "preact/hooks";
import { type ExplainedField, explain } from "../../http/graphql.ts";
import { Button } from "../../parts/button.tsx";
import { CodeView } from "../../parts/code-view.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { costliest, type PlanNode, planTree } from "./plan-tree.ts";
import { sentHeaders } from "./request-state.ts";
import { currentCall } from "./run.ts";

export function ExplainView() {
  const [fields, setFields] = useState<readonly ExplainedField[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const ask = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      setFields(await explain(currentCall(), sentHeaders.value));
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="explain stack">
      <div class="row">
        <Button icon="clock" busy={isBusy} onClick={() => void ask()}>
          Explain
        </Button>
        <span class="muted">Nothing is run: the database says what it would do.</span>
      </div>
      {error !== null && <ErrorBox error={error} />}
      {!fields && error === null && <Empty title="The plan appears here." />}
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
      {sql === null && <p class="muted">No database is asked for it.</p>}
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
  /** Of the whole plan. */
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
            {node === worst && <span class="badge warn">costs most</span>}
            <span class="muted">{`${share} %${rows === null ? "" : `, ${rows} rows`}`}</span>
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
