/** The mutation fields of one table for one role (`graphql-api.md` 2.2, 2.3). */
import type { WriteRootIr } from "./ir.ts";
import { keyFields } from "./key-fields.ts";
import type { RootInputs } from "./root-inputs.ts";
import { refTo } from "./table-names.ts";
import { isBackendOnly } from "./write-inputs.ts";

const permissions = {
  insert: "insert",
  insert_one: "insert",
  update: "update",
  update_by_pk: "update",
  update_many: "update",
  delete: "delete",
  delete_by_pk: "delete",
} as const;

export function writeRoots(inputs: RootInputs): WriteRootIr[] {
  const { source, table, rootFields, writes } = inputs;
  if (rootFields === null) return [];
  return (Object.keys(permissions) as (keyof typeof permissions)[]).flatMap((kind): WriteRootIr[] => {
    const permission = writes[permissions[kind]];
    if (permission === undefined || !isOffered(inputs, kind)) return [];
    const { name, comment } = rootFields[kind];
    return [
      {
        field: name,
        kind,
        table: refTo(source, table),
        backendOnly: isBackendOnly(permission),
        ...(comment === undefined ? {} : { description: comment }),
      },
    ];
  });
}

function isOffered(inputs: RootInputs, kind: keyof typeof permissions): boolean {
  switch (kind) {
    case "insert":
    case "update":
    case "delete":
      return true;
    case "insert_one":
      return inputs.readable;
    case "update_many":
      return !inputs.hideUpdateMany;
    case "update_by_pk":
    case "delete_by_pk":
      return isKeyReadable(inputs);
  }
}

/** Whether the table has a primary key and the role may read all of it; without a permission it is `admin`. */
export function isKeyReadable({ primaryKey, readable, select }: RootInputs): boolean {
  const fields = keyFields(primaryKey);
  if (!readable || fields === undefined) return false;
  return !select || fields.every((key) => select.columns.some(({ field }) => field === key));
}
