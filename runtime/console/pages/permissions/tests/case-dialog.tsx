/** Dialog of one permission test: its operation and session, and its last result. */
import type { ListedCase } from "../../../http/test-api.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { DiffView } from "../../../parts/diff-view.tsx";
import { OutcomeBadge } from "./outcome.tsx";
import { caseKey, isRunning, results } from "./results.ts";

interface CaseDialogProps {
  readonly test: ListedCase;
  readonly run: () => Promise<void>;
  readonly onClose: () => void;
}

export function CaseDialog({ test, run, onClose }: CaseDialogProps) {
  const { name, file, at, session, role, variables, query } = test;
  const values = Object.entries(variables).map(([variable, value]) => `${variable}: ${value}`);
  return (
    <Dialog
      title={name}
      isWide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" icon="run" busy={isRunning.value} onClick={() => void run()}>
            Run
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>
          <OutcomeBadge test={test} /> <code>{`${file}:${at}`}</code>
        </p>
        <p>
          {session === null ? "Session" : <bdi>{`Session ${session}`}</bdi>}{" "}
          <bdi class="muted">{[`role ${role}`, ...values].join(", ")}</bdi>
        </p>
        <Text label="Operation" text={query} />
        <Result test={test} />
      </div>
    </Dialog>
  );
}

function Result({ test }: { readonly test: ListedCase }) {
  const failure = results.value.get(caseKey(test))?.failure;
  if (failure === undefined) {
    return test.expected === null ? null : <Text label="Expected result" text={test.expected} />;
  }
  const { reason, expected, received, remarks } = failure;
  return (
    <>
      {(received === undefined || expected === undefined) && (
        <p class="test-reason">
          <bdi>{reason}</bdi>
        </p>
      )}
      {received !== undefined && expected !== undefined && (
        <section class="stack">
          <h3>− expected, + received</h3>
          <DiffView label="Expected and received result" before={expected} after={received} />
        </section>
      )}
      {received !== undefined && expected === undefined && <Text label="Received result" text={received} />}
      {remarks.map((remark) => (
        <p key={remark} class="muted">
          <bdi>{remark}</bdi>
        </p>
      ))}
    </>
  );
}

function Text({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <section class="stack">
      <h3>{label}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section class="code-block" tabIndex={0} aria-label={label}>
        <code>
          <bdi>{text.trimEnd()}</bdi>
        </code>
      </section>
    </section>
  );
}
