/** Number of findings about a table and its permissions, with a link to them. */
import type { QualifiedName } from "../http/metadata-types.ts";
import { Link } from "../routing/link.tsx";
import { findingCount } from "../state/advice-counts.ts";

const badges = { error: "badge bad", warning: "badge warn", note: "badge" } as const;

interface AdviceCountProps {
  readonly source: string;
  readonly table: QualifiedName;
}

/** Renders nothing while no findings are known. */
export function AdviceCount({ source, table }: AdviceCountProps) {
  const found = findingCount(source, table);
  if (!found) return null;
  const { severity, count } = found;
  const text = count === 1 ? "1 finding" : `${count.toLocaleString()} findings`;
  const title = `${text} about ${table.name}, the most severe is ${severity === "error" ? "an error" : `a ${severity}`}`;
  return (
    <Link
      to={["metadata", "advice"]}
      query={{ source, schema: table.schema, table: table.name }}
      class={`advice-count ${badges[severity]}`}
      title={title}
    >
      <span aria-hidden="true">{count.toLocaleString()}</span>
      <span class="visually-hidden">{title}</span>
    </Link>
  );
}
