/** Operations that customize tracked tables. */

import * as z from "zod";
import { isObject } from "../../../runtime/values/is-object.ts";
import type { QualifiedName, SourceKind, Table, TableConfig } from "../../catalog/model.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { bool } from "../../catalog/schema/scalars.ts";
import { apolloFederationConfig, tableConfiguration } from "../../catalog/schema/tables.ts";
import { ok, type Result } from "../../diagnostics/diagnostic.ts";
import { inSource, ofTable } from "../arguments.ts";
import { changeTable } from "../edit.ts";
import { findTable } from "../lookups.ts";
import { type Change, type Effect, operation, type Request } from "../operation.ts";

interface TableTarget {
  readonly source: string;
  readonly table: QualifiedName;
}

function editTable(
  request: Request<TableTarget>,
  to: (table: Table) => Table,
  effects: readonly Effect[] = [],
): Result<Change> {
  const { catalog, input } = request;
  const { source, table } = input;
  const found = findTable(request, source, table);
  if (!found.ok) return found;
  return ok({
    catalog: changeTable(catalog, source, table, to),
    targets: [{ kind: "table", source, table }],
    effects,
  });
}

// ---------------------------------------------------------------- customization

interface Customization extends TableTarget {
  readonly configuration: TableConfig;
}

const customizationArguments = (kind: SourceKind): z.ZodType<Customization> =>
  object({
    about: { configuration: "The new configuration, which replaces the old one as a whole." },
    required: { ...ofTable(kind), configuration: tableConfiguration },
    defaulted: inSource,
  });

/** The older form, with names of root fields and columns among the arguments. Ignores all other keys. */
const customFields = z.preprocess((input) => {
  if (!isObject(input)) return input;
  const { custom_root_fields, custom_column_names } = input;
  return {
    ...(custom_root_fields !== undefined && { custom_root_fields }),
    ...(custom_column_names !== undefined && { custom_column_names }),
  };
}, tableConfiguration);

const customFieldsArguments = (kind: SourceKind): z.ZodType<Customization> =>
  z.intersection(
    object({ required: ofTable(kind), defaulted: inSource }),
    customFields.transform((configuration) => ({ configuration })),
  );

/** Replaces the whole configuration. */
function setCustomization(request: Request<Customization>): Result<Change> {
  const { configuration } = request.input;
  return editTable(request, ({ configuration: _previous, ...others }) => ({
    ...others,
    ...(Object.keys(configuration).length > 0 && { configuration }),
  }));
}

// ---------------------------------------------------------------- enum tables

interface IsEnum extends TableTarget {
  readonly is_enum: boolean;
}

const isEnumArguments = (kind: SourceKind): z.ZodType<IsEnum> =>
  object({
    about: { is_enum: "True to treat the rows as values of a GraphQL enum." },
    required: { ...ofTable(kind), is_enum: bool },
    defaulted: inSource,
  });

/** Marks or unmarks a table as an enum table. Introspects the source again for a new enum table, to read its values. */
function setIsEnum(request: Request<IsEnum>): Result<Change> {
  const { source, is_enum } = request.input;
  const effects: readonly Effect[] = is_enum ? [{ kind: "introspect", sources: [source] }] : [];
  const edit = ({ is_enum: _previous, ...others }: Table): Table => ({ ...others, ...(is_enum && { is_enum }) });
  return editTable(request, edit, effects);
}

// ---------------------------------------------------------------- federation

interface Federation extends TableTarget {
  readonly apollo_federation_config?: NonNullable<Table["apollo_federation_config"]>;
}

const federationArguments = (kind: SourceKind): z.ZodType<Federation> =>
  object({
    about: { apollo_federation_config: "Makes the type of the table an entity. Default: it is none." },
    required: ofTable(kind),
    defaulted: inSource,
    optional: { apollo_federation_config: apolloFederationConfig },
  });

/** Sets the federation configuration of a table, or removes it if the argument is absent. */
function setFederation(request: Request<Federation>): Result<Change> {
  const { apollo_federation_config } = request.input;
  return editTable(request, ({ apollo_federation_config: _previous, ...others }) => ({
    ...others,
    ...(apollo_federation_config !== undefined && { apollo_federation_config }),
  }));
}

export const tableOperations = [
  operation("set_table_customization", {
    about: "Sets the names of a table and its columns in the API.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    input: customizationArguments,
    check: "target",
    apply: setCustomization,
  }),
  operation("set_table_custom_fields", {
    about: "Sets root fields and column names of a table; older form of `set_table_customization`.",
    effect: "change",
    endpoints: { query: [2] },
    input: customFieldsArguments,
    check: "target",
    apply: setCustomization,
  }),
  operation("set_table_is_enum", {
    about: "Turns the rows of a table into values of a GraphQL enum, or back.",
    effect: "change",
    endpoints: { metadata: "prefixed", query: [1] },
    kinds: ["postgres"],
    input: isEnumArguments,
    check: "target",
    apply: setIsEnum,
  }),
  operation("set_apollo_federation_config", {
    about: "Makes the type of a table an entity of an Apollo Federation graph, or no longer.",
    effect: "change",
    endpoints: { metadata: "prefixed" },
    input: federationArguments,
    check: "target",
    apply: setFederation,
  }),
];
