/**
 * Number of findings about each table, for rows that lead to them. The server reads its databases for advice,
 * so that it is requested when the browser is idle, once for each version of the metadata, and at most once a minute.
 */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { adviceCounts } from "../http/advice-api.ts";
import type { Metadata, QualifiedName } from "../http/metadata-types.ts";
import { metadata, resourceVersion } from "./metadata.ts";

interface FindingCount {
  readonly severity: "error" | "warning" | "note";
  readonly count: number;
}

type Severities = Record<FindingCount["severity"], number>;

const shown = signal<ReadonlyMap<string, FindingCount>>(new Map());

const pauseMilliseconds = 60_000;

let requested: { readonly version: number; readonly at: number } | null = null;

const keyOf = (source: string, { schema, name }: QualifiedName): string => JSON.stringify([source, schema, name]);

/** Returns the findings about a table and its permissions; `undefined` if none are known. */
export const findingCount = (source: string, table: QualifiedName): FindingCount | undefined =>
  shown.value.get(keyOf(source, table));

/** Loads the counts for the current metadata once the browser is idle. */
export function useAdviceCounts(): void {
  const version = resourceVersion.value;
  useEffect(() => {
    if (version === null || requested?.version === version) return;
    const wait = requested === null ? 0 : Math.max(0, requested.at + pauseMilliseconds - Date.now());
    const timer = setTimeout(() => whenIdle(() => void load(version)), wait);
    return () => clearTimeout(timer);
  }, [version]);
}

/** Safari has no `requestIdleCallback`. */
const whenIdle = (work: () => void): void => {
  if (typeof requestIdleCallback === "function") requestIdleCallback(work);
  else setTimeout(work, 200);
};

async function load(version: number): Promise<void> {
  if (requested?.version === version) return;
  requested = { version, at: Date.now() };
  try {
    const { resource_version: found, counts } = await adviceCounts();
    const document = metadata.value;
    // The paths of an older version lead to other tables.
    if (document === null || found !== resourceVersion.value) return;
    shown.value = countsByTable(document, counts);
  } catch {
    // Counts are only a hint; *Advice* shows the error.
  }
}

const tablePath = /^\$\.sources\[(\d+)\]\.tables\[(\d+)\]/;

function countsByTable(
  { sources }: Metadata,
  counts: Awaited<ReturnType<typeof adviceCounts>>["counts"],
): ReadonlyMap<string, FindingCount> {
  const sums = new Map<string, Severities>();
  const add = (key: string, { error, warning, note }: Severities): void => {
    const sum = sums.get(key) ?? { error: 0, warning: 0, note: 0 };
    sums.set(key, { error: sum.error + error, warning: sum.warning + warning, note: sum.note + note });
  };
  for (const { path, ...severities } of counts) {
    const [, at, index] = tablePath.exec(path) ?? [];
    const source = sources[Number(at)];
    const table = source?.tables[Number(index)];
    if (!source || !table) continue;
    add(keyOf(source.name, table.table), severities);
  }
  return new Map([...sums].map(([key, sum]) => [key, mostSevere(sum)]));
}

function mostSevere({ error, warning, note }: Severities): FindingCount {
  const severity = error > 0 ? "error" : warning > 0 ? "warning" : "note";
  return { severity, count: error + warning + note };
}
