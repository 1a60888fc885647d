/** Link to the advice about a table. */
import type { QualifiedName } from "../http/metadata-types.ts";
import { Link } from "../routing/link.tsx";

export function AdviceLink({ source, table }: { readonly source: string; readonly table: QualifiedName }) {
  return (
    <Link to={["metadata", "advice"]} query={{ source, schema: table.schema, table: table.name }}>
      Advice
    </Link>
  );
}
