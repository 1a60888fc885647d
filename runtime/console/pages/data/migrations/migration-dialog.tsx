/** Dialog of one migration: its SQL, and the changes that are possible in its state. */
import type { Source } from "../../../http/metadata-types.ts";
import {
  type ListedMigration,
  type MigrationChange,
  type MigrationSql,
  migrationSql,
} from "../../../http/migrations-api.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Loading } from "../../../parts/empty.tsx";
import { ErrorBox } from "../../../parts/error-box.tsx";
import { useLoaded } from "../../../parts/use-loaded.ts";
import { changeActions, titleOf } from "./migration-texts.ts";
import { SqlText } from "./sql-text.tsx";

interface MigrationDialogProps {
  readonly source: Source;
  readonly migration: ListedMigration;
  /** All migrations of the database, sorted by version. */
  readonly all: readonly ListedMigration[];
  readonly onChange: (change: MigrationChange) => void;
  readonly onClose: () => void;
}

export function MigrationDialog({ source, migration, all, onChange, onClose }: MigrationDialogProps) {
  const { version, name, state, replaces } = migration;
  return (
    <Dialog
      title={titleOf(migration)}
      isWide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {offersOf(migration, all).map(({ change, label, unavailable = false }) => (
            <Button
              key={label}
              kind={change.kind === "revert" ? "danger" : "plain"}
              unavailable={unavailable}
              onClick={() => onChange(change)}
            >
              {label}
            </Button>
          ))}
        </>
      }
    >
      <div class="stack">
        {state === "unfinished" && (
          <p>
            The migration was interrupted while its SQL ran. Check whether the database has its changes. Then mark it as
            applied, or remove the mark and apply it again.
          </p>
        )}
        {replaces.length > 0 && <p class="muted">{`Replaces ${replaces.join(", ")}`}</p>}
        {name === null ? (
          <p>The server has this version, but the project has no files of it.</p>
        ) : (
          <MigrationTexts source={source.name} version={version} />
        )}
      </div>
    </Dialog>
  );
}

function MigrationTexts({ source, version }: { readonly source: string; readonly version: string }) {
  const { value, error } = useLoaded<MigrationSql>(() => migrationSql(source, version), `${source} ${version}`);
  if (error !== null) return <ErrorBox error={error} />;
  if (!value) return <Loading item="SQL" />;
  return (
    <>
      <p class="muted">
        <bdi>{value.folder}</bdi>
      </p>
      <SqlText title="Up migration" sql={value.up} />
      <SqlText title="Down migration" sql={value.down} />
    </>
  );
}

interface Offer {
  readonly change: MigrationChange;
  readonly label: string;
  readonly unavailable?: string | false;
}

/** Returns the changes that the state allows. The server checks them again. */
function offersOf(
  { version, name, state, can_revert }: ListedMigration,
  all: readonly ListedMigration[],
): readonly Offer[] {
  const offer = (kind: Exclude<MigrationChange["kind"], "apply">, unavailable: string | false = false): Offer => ({
    change: { kind, version },
    label: changeActions[kind],
    unavailable,
  });
  if (name === null) return [offer("unmark")];
  if (state === "unfinished") return [offer("unmark"), offer("mark"), offer("repeat")];
  if (state === "applied") return [offer("revert", revertRefusal(version, can_revert, all))];
  const isFirst = all.find((each) => each.state === "pending")?.version === version;
  const isBlocked = all.some((each) => each.state === "unfinished") && "Another migration is unfinished.";
  const label = isFirst ? "Apply" : "Apply up to here";
  return [offer("mark"), { change: { kind: "apply", version }, label, unavailable: isBlocked }];
}

function revertRefusal(version: string, canRevert: boolean, all: readonly ListedMigration[]): string | false {
  const last = all.findLast(({ state }) => state !== "pending");
  if (last !== undefined && last.version !== version) return `Revert ${titleOf(last)} first.`;
  return !canRevert && "It has no down migration.";
}
