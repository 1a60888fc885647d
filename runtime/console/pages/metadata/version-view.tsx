/** One version of the metadata: its difference to any other one, and its restoration. */
import { useState } from "preact/hooks";
import { type MetadataHistory, metadataVersion } from "../../http/metadata-history-api.ts";
import type { JsonObject } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { type Choice, SelectField } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Link } from "../../routing/link.tsx";
import { addressOf, navigate, parameters } from "../../routing/router.ts";
import { callerOf, operationsOf } from "./history-texts.ts";
import { ReplaceDialog } from "./replace-dialog.tsx";
import { VersionDifferences, VersionEffects } from "./version-differences.tsx";

type Shown = "metadata" | "effects";

const shownChoices: readonly Choice<Shown>[] = [
  { value: "metadata", label: "Metadata" },
  { value: "effects", label: "Access and code" },
];

interface VersionViewProps {
  readonly version: number;
  readonly history: MetadataHistory;
}

export function VersionView({ version, history }: VersionViewProps) {
  const [restored, setRestored] = useState<JsonObject | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const { resource_version: current, changes } = history;
  const entry = changes.find(({ resource_version }) => resource_version === version);
  const choices = otherVersions(version, history);
  const requested = parameters.value.get("with");
  const other = choices.find(({ value }) => value === requested) ?? choices[0];
  const shown: Shown = parameters.value.get("show") === "effects" ? "effects" : "metadata";
  /** The address has the comparison, so that a link can lead to it. */
  const show = (what: Shown, compared = other?.value): void =>
    navigate(
      addressOf(["metadata", "history", String(version)], { show: what, ...(compared && { with: compared }) }),
      "replace",
    );
  const restore = async (): Promise<void> => {
    setFailure(null);
    try {
      setRestored(await metadataVersion(version));
    } catch (thrown) {
      setFailure(thrown);
    }
  };
  return (
    <div class="with-head">
      <div class="toolbar">
        <Link to={["metadata", "history"]} class="back-link" title="All changes">
          <Icon name="left" />
          <span>History</span>
        </Link>
        <h1>{`Version ${version}`}</h1>
        {version === current && <span class="badge good">Current</span>}
        <span class="grow" />
        {other && (
          <>
            <span class="muted" aria-hidden="true">
              Compare with
            </span>
            <SelectField
              label="Compare with"
              isBare
              value={other.value}
              choices={choices}
              onChange={(value) => show(shown, value)}
            />
            <SelectField label="Show" isBare value={shown} choices={shownChoices} onChange={(what) => show(what)} />
          </>
        )}
        <Button
          kind="primary"
          icon="refresh"
          unavailable={version === current && "This version is current."}
          onClick={() => void restore()}
        >
          Restore
        </Button>
      </div>
      <div class="page">
        {entry && (
          <p class="muted">
            <bdi>{`${new Date(entry.changed_at).toLocaleString()} · ${callerOf(entry)} · ${operationsOf(entry)}`}</bdi>
          </p>
        )}
        {failure !== null && <ErrorBox error={failure} />}
        {other ? (
          <Compared versions={[version, Number(other.value)]} shown={shown} />
        ) : (
          <Empty title="No other version">
            <p>{`Version ${version} is the only one in the history.`}</p>
          </Empty>
        )}
      </div>
      {restored && (
        <ReplaceDialog
          title={`Restore version ${version}`}
          label="Restore"
          metadata={restored}
          notice={`Restored version ${version}`}
          onClose={() => setRestored(null)}
        />
      )}
    </div>
  );
}

function Compared({ versions, shown }: { readonly versions: readonly [number, number]; readonly shown: Shown }) {
  const [from, to] = [Math.min(...versions), Math.max(...versions)];
  return shown === "effects" ? <VersionEffects from={from} to={to} /> : <VersionDifferences from={from} to={to} />;
}

/** Returns the versions in the history except one: the one before first, then the current one, then the others. */
function otherVersions(version: number, history: MetadataHistory): readonly Choice<string>[] {
  const { resource_version: current, oldest_version: oldest, changes } = history;
  const operations = new Map(changes.map((entry) => [entry.resource_version, operationsOf(entry)]));
  const others: Choice<string>[] = [];
  for (let each = current - 1; each >= oldest; each -= 1) {
    if (each === version || each === version - 1) continue;
    others.push({ value: String(each), label: [`Version ${each}`, operations.get(each)].filter(Boolean).join(" · ") });
  }
  return [
    ...(version > oldest ? [{ value: String(version - 1), label: "Version before" }] : []),
    ...(version < current ? [{ value: String(current), label: "Current version" }] : []),
    ...others,
  ];
}
