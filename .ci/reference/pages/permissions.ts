/** The page of permissions and relationships. */
import { block, page } from "../markdown.ts";
import type { ReferencePage } from "../page.ts";
import { sharedSection } from "./metadata-files.ts";

export const permissionsPage: ReferencePage = {
  path: "docs/reference/permissions.md",
  render: async () =>
    page(
      "# Permissions and relationships",
      "You find here each key of a permission and of a relationship, with its default and an example.\nThe keys are the same in YAML files and in [operations](operations-permissions.md).",
      "A role has no access to a table until it has a permission. Fields and types without a permission do not exist in its\nGraphQL schema. The role `admin` has every permission already.",
      "## Conditions",
      "A condition is a boolean expression as in the argument `where`: columns with operators, `_and`, `_or`, `_not`, and\nrelationships with conditions on the related rows. `{}` is always true. `_exists` tests rows of any table, and\n`_permitted` whether the role may select a row that a relationship leads to:",
      block(
        "yaml",
        `_or:
  - published:
      _eq: true
  - author:
      name:
        _eq: X-Engine-User-Name
  - _exists:
      _table:
        schema: public
        name: editor
      _where:
        id:
          _eq: X-Engine-User-Id
  - _permitted:
      relationship: author
      operation: select
`,
      ),
      "The operation of `_permitted` is always `select`. Its row filter applies to the related row, with `$` as that row; the\ncolumns and the limit of the permission do not matter. A role without select permission on the related table, a\nrelationship to another source, and permissions that refer to each other in a circle make the permission inconsistent.",
      "A text that begins with `X-Engine-` is the session variable of that name, in any case. A request without the variable\nfails.",
      sharedSection(
        "select permission",
        "Rows and columns that a role can read, in `select_permissions` of a table.",
        `- role: writer
  permission:
    columns: [id, title, published]
    filter:
      _or:
        - published:
            _eq: true
        - author_id:
            _eq: X-Engine-User-Id
    limit: 100
    allow_aggregations: true
`,
      ),
      sharedSection(
        "insert permission",
        "Rows that a role can insert, in `insert_permissions` of a table.",
        `- role: writer
  permission:
    columns: [title]
    set:
      author_id: X-Engine-User-Id
    check:
      title:
        _neq: ""
`,
      ),
      sharedSection(
        "update permission",
        "Rows and columns that a role can change, in `update_permissions` of a table.",
        `- role: writer
  permission:
    columns: [title, published]
    filter:
      author_id:
        _eq: X-Engine-User-Id
    check:
      title:
        _neq: ""
`,
      ),
      sharedSection(
        "delete permission",
        "Rows that a role can delete, in `delete_permissions` of a table.",
        `- role: writer
  permission:
    filter:
      published:
        _eq: false
`,
      ),
      sharedSection(
        "object relationship",
        "The `using` of a field with one related row, or `null`. With a foreign key of the table itself, its column is enough;\na list names the columns of a foreign key with several.",
        `- name: author
  using:
    foreign_key_constraint_on: author_id
- name: latest_review
  using:
    manual_configuration:
      remote_table:
        schema: public
        name: latest_review
      column_mapping:
        id: article_id
`,
      ),
      sharedSection(
        "array relationship",
        "The `using` of a field with a list of related rows. The foreign key is in the other table.",
        `- name: articles
  using:
    foreign_key_constraint_on:
      table:
        schema: public
        name: article
      column: author_id
`,
      ),
      sharedSection(
        "remote relationship",
        "The `definition` of a field with rows of another source, or data of a remote schema.",
        `- name: orders
  definition:
    to_source:
      source: shop
      table:
        schema: public
        name: orders
      relationship_type: array
      field_mapping:
        id: customer_id
- name: person
  definition:
    to_remote_schema:
      remote_schema: people
      lhs_fields: [id]
      remote_field:
        person:
          arguments:
            id: $id
`,
      ),
    ),
};
