/** Dialog with the plan of a change of migrations: its steps with their SQL. The change runs only as it is shown. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Source } from "../../../http/metadata-types.ts";
import {
  type MigrationChange,
  type MigrationPlan,
  migrationSql,
  type PlannedStep,
  planMigrations,
  runMigrations,
} from "../../../http/migrations-api.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Loading } from "../../../parts/empty.tsx";
import { ErrorBox } from "../../../parts/error-box.tsx";
import { CheckField } from "../../../parts/field.tsx";
import { notify } from "../../../parts/toast.tsx";
import { useLoaded } from "../../../parts/use-loaded.ts";
import { useSubmission } from "../../../parts/use-submission.ts";
import { loadMetadata } from "../../../state/metadata.ts";
import { loadDatabaseObjects } from "../database-objects.ts";
import { featuresOf } from "../rows/database-features.ts";
import { changeActions, changeNotices, changeTitles, runsSql, stepTexts, titleOf } from "./migration-texts.ts";
import { SqlText } from "./sql-text.tsx";

interface PlanDialogProps {
  readonly source: Source;
  readonly change: MigrationChange;
  readonly onClose: () => void;
  /** Runs after each attempt, because a failed one may have applied some migrations. */
  readonly onRun: () => void;
}

export function PlanDialog({ source, change, onClose, onRun }: PlanDialogProps) {
  const [transaction, setTransaction] = useState(true);
  const plan = useLoaded(() => planMigrations(source.name, change), JSON.stringify([source.name, change]));
  const { isBusy, error, submit } = useSubmission(async () => {
    if (!plan.value) return;
    try {
      await runMigrations(source.name, change, { plan: plan.value.plan, transaction });
      notify(changeNotices[change.kind]);
      onClose();
    } catch (thrown) {
      // The user reviews the new plan before the next attempt.
      plan.reload();
      throw thrown;
    } finally {
      await loadMetadata();
      await loadDatabaseObjects(source);
      onRun();
    }
  });
  const steps = plan.value?.steps ?? [];
  return (
    <Dialog
      title={changeTitles[change.kind]}
      isWide
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind={change.kind === "revert" ? "danger" : "primary"}
            type="submit"
            busy={isBusy}
            unavailable={unavailableReason(plan.value)}
          >
            {changeActions[change.kind]}
          </Button>
        </>
      }
    >
      <div class="stack">
        {plan.error !== null && <ErrorBox error={plan.error} />}
        {plan.isLoading && !plan.value && <Loading item="plan" />}
        {steps.length > 0 && <p>{introductions[change.kind]}</p>}
        <ol class="migration-steps" aria-label="Plan">
          {steps.map((step) => (
            <Step key={`${step.action} ${step.version}`} source={source.name} step={step} />
          ))}
        </ol>
        {runsSql(change) && featuresOf(source.kind).runsSingleStatements && steps.length > 0 && (
          <CheckField
            label="Run statements one by one, without a transaction, such as CREATE INDEX CONCURRENTLY"
            checked={!transaction}
            onChange={(isChecked) => setTransaction(!isChecked)}
          />
        )}
        {error !== null && <ErrorBox error={error} />}
      </div>
    </Dialog>
  );
}

const introductions: Readonly<Record<MigrationChange["kind"], string>> = {
  apply: "These migrations run in this order. If one fails, those after it do not run.",
  revert: "The down migration runs. It may delete rows, which no migration restores.",
  repeat: "The SQL runs again. Check first that the database does not have its changes.",
  mark: "No SQL runs. The database must have the changes of the migration already.",
  unmark: "No SQL runs. The server forgets that it has applied this version.",
};

function unavailableReason(plan: MigrationPlan | null): string | false {
  if (plan === null) return "There is no plan.";
  return plan.steps.length === 0 && "The plan has no steps.";
}

function Step({ source, step }: { readonly source: string; readonly step: PlannedStep }) {
  const hasSql = step.action === "up" || step.action === "down";
  const title = (
    <>
      {stepTexts[step.action]} <bdi class="code">{titleOf(step)}</bdi>
    </>
  );
  if (!hasSql) return <li>{title}</li>;
  return (
    <li>
      <StepSql source={source} version={step.version} direction={step.action === "up" ? "up" : "down"} title={title} />
    </li>
  );
}

interface StepSqlProps {
  readonly source: string;
  readonly version: string;
  readonly direction: "up" | "down";
  readonly title: ComponentChildren;
}

/** Loads the SQL when it is opened, because a plan can have hundreds of steps. */
function StepSql({ source, version, direction, title }: StepSqlProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => event.currentTarget.open && setOpen(true)}>
      <summary>{title}</summary>
      {isOpen && <LoadedSql source={source} version={version} direction={direction} />}
    </details>
  );
}

function LoadedSql({ source, version, direction }: Omit<StepSqlProps, "title">) {
  const { value, error } = useLoaded(() => migrationSql(source, version), `${source} ${version}`);
  if (error !== null) return <ErrorBox error={error} />;
  if (!value) return <Loading item="SQL" />;
  return <SqlText title={`SQL of ${version}`} sql={value[direction]} />;
}
