/** Difference of two versions of the metadata: their parts, or the access of roles and the generated code. */
import { compareVersions, versionEffects } from "../../http/metadata-history-api.ts";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { PlanView } from "../permissions/plan-view.tsx";
import { PartChanges } from "./part-changes.tsx";

interface Versions {
  readonly from: number;
  readonly to: number;
}

export function VersionDifferences({ from, to }: Versions) {
  const { value, error } = useLoaded(() => compareVersions(from, to), `${from} ${to}`);
  if (error !== null) return <ErrorBox error={error} />;
  if (!value) return <Loading item="differences" />;
  if (value.length === 0) return <Empty title="No differences" />;
  return (
    <section class="stack" aria-label={`Changes from version ${from} to version ${to}`}>
      <h2>{`Version ${from} → ${to}`}</h2>
      <PartChanges changes={value} />
    </section>
  );
}

export function VersionEffects({ from, to }: Versions) {
  const { value, error } = useLoaded(() => versionEffects(from, to), `${from} ${to}`);
  if (error !== null) return <ErrorBox error={error} />;
  if (!value) return <Loading item="generated code" />;
  const { inconsistent } = value;
  return (
    <section class="stack plan-flush" aria-label={`Access and generated code from version ${from} to version ${to}`}>
      <h2>{`Version ${from} → ${to}`}</h2>
      <LeftOut version={from} count={inconsistent.from} />
      <LeftOut version={to} count={inconsistent.to} />
      <PlanView plan={value} />
    </section>
  );
}

/** Both versions are compiled for the current databases, which may lack tables of an older version. */
function LeftOut({ version, count }: { readonly version: number; readonly count: number }) {
  if (count === 0) return null;
  return (
    <p>
      <span class="badge warn">Inconsistent</span>{" "}
      {`${count.toLocaleString()} ${count === 1 ? "object" : "objects"} of version ${version} left out, because the databases of today do not have what they need.`}
    </p>
  );
}
