/** Findings about permissions, limits and indexes, each with its reason and a remedy. */
import { type AdviceFinding, advice } from "../../http/advice-api.ts";
import { Button } from "../../parts/button.tsx";
import { capitalized } from "../../parts/cell-text.ts";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Link } from "../../routing/link.tsx";
import { parameters } from "../../routing/router.ts";
import { metadata, resourceVersion } from "../../state/metadata.ts";
import { findingPlace } from "./finding-place.ts";
import type { ObjectPage } from "./object-actions.ts";

/** Maximum number of findings on the page. */
const maxShown = 200;

export function Advice() {
  const { value, error, isLoading, reload } = useLoaded(advice, String(resourceVersion.value));
  if (error !== null) return <ErrorBox error={error} />;
  if (!value) return <Loading item="advice" />;
  const { skipped } = value;
  const document = metadata.value;
  const placed = value.findings.map((finding) => ({
    finding,
    ...(document ? findingPlace(finding.path, document) : { page: null }),
  }));
  const [source, schema, name] = wantedTable();
  const isFiltered = name !== undefined;
  const findings = isFiltered
    ? placed.filter(({ table }) => table?.source === source && table?.schema === schema && table?.name === name)
    : placed;
  return (
    <section class="page full" aria-label="Advice">
      <div class="spread">
        <h1>Advice</h1>
        <Button icon="refresh" busy={isLoading} onClick={reload}>
          Refresh
        </Button>
      </div>
      <p class="muted">
        {countText(findings.length)}
        {isFiltered && (
          <>
            {" about "}
            <bdi>{name}</bdi>. <Link to={["metadata", "advice"]}>Show all</Link>
          </>
        )}
      </p>
      {findings.slice(0, maxShown).map(({ finding, page }) => (
        <Finding key={`${finding.rule} ${finding.place}`} finding={finding} page={page} />
      ))}
      {findings.length > maxShown && <p class="muted">{`${(findings.length - maxShown).toLocaleString()} more`}</p>}
      {skipped.length > 0 && (
        <ul class="muted">
          {skipped.map(({ rule, reason }) => (
            <li key={`${rule} ${reason}`}>
              Not checked: {rule}: <bdi>{reason}</bdi>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const badges = { error: "badge bad", warning: "badge warn", note: "badge" } as const;
const labels = { error: "Error", warning: "Warning", note: "Note" } as const;

interface FindingProps {
  readonly finding: AdviceFinding;
  readonly page: ObjectPage | null;
}

function Finding({ finding: { rule, severity, place, reason, fix }, page }: FindingProps) {
  return (
    <article class="metadata-problem card" aria-label={`${rule} ${place}`}>
      <p>
        <span class={badges[severity]}>{labels[severity]}</span> <span class="code">{rule}</span>{" "}
        {page ? (
          <Link to={page.to} {...(page.query && { query: page.query })} class="metadata-problem-name">
            <bdi>{place}</bdi>
          </Link>
        ) : (
          <bdi class="metadata-problem-name">{place}</bdi>
        )}
      </p>
      <p>
        <bdi>{capitalized(reason)}.</bdi>
      </p>
      <p class="muted">
        <bdi>{capitalized(fix)}</bdi>
      </p>
    </article>
  );
}

function countText(count: number): string {
  if (count === 0) return "No findings";
  return count === 1 ? "1 finding" : `${count.toLocaleString()} findings`;
}

/** Returns the table whose findings are shown; an empty list for all findings. */
function wantedTable(): readonly string[] {
  const { source, schema, table } = Object.fromEntries(parameters.value);
  return source !== undefined && schema !== undefined && table !== undefined ? [source, schema, table] : [];
}
