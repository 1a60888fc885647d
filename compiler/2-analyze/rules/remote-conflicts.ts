/**
 * Refuses remote schemas whose names are in use: root fields of sources, actions and other remote schemas, and types of
 * the same name with another definition. Precedence: sources and actions, then remote schemas in the order of the
 * metadata.
 */
import { lazy } from "../../../runtime/values/lazy.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import {
  namedRemoteType,
  type RemoteRoot,
  type RemoteRootTypes,
  type RemoteShape,
  remoteRoots,
} from "../../shape/remote-shape.ts";
import type { AnalysisOptions, AnalyzedSource } from "../analysis.ts";
import { reject, rejectWithCode } from "../rejection.ts";
import { type RemoteNames, remoteRootFields } from "./remote-names.ts";
import { rootFieldNames } from "./root-fields.ts";
import { scalarsInUse } from "./scalars-in-use.ts";
import { TypeNames } from "./type-names.ts";
import { customTypeTexts, orderTexts, remoteTypeText, scalarText, tableTypeTexts } from "./type-texts.ts";

/** Names in use. Each accepted remote schema adds its own. */
export class TakenNames {
  readonly #ofSources: () => NamesOfSources;
  readonly #fields: Record<RemoteRoot, Set<string>> = {
    query: new Set(),
    mutation: new Set(),
    subscription: new Set(),
  };
  /** Definitions by name. */
  readonly #types = new Map<string, Text>();
  /** True if the engine itself is a subgraph, which has root fields for gateways. */
  readonly #isSubgraph: boolean;

  constructor(sources: ReadonlyMap<string, AnalyzedSource>, catalog: Catalog, options: AnalysisOptions) {
    this.#isSubgraph = options.experimentalFeatures.has("apollo_federation");
    let found: NamesOfSources | undefined;
    this.#ofSources = () => {
      found ??= {
        query: rootFieldNames("query", sources, catalog.actions, options),
        mutation: rootFieldNames("mutation", sources, catalog.actions, options),
        subscription: rootFieldNames("subscription", sources, catalog.actions, options),
        types: new TypeNames(sources.values()),
        scalars: scalarsInUse(sources.values(), catalog),
        known: new Map([...tableTypeTexts(sources.values()), ...customTypeTexts(catalog.custom_types)]),
      };
      return found;
    };
  }

  /**
   * Reserves the names of a remote schema.
   * @returns the names, without the gateway fields of a subgraph if those are already in use
   * @throws Rejection, without reserving any name
   */
  take(shape: RemoteShape, given: RemoteNames): RemoteNames {
    const names = this.#withoutTakenGatewayFields(shape, given);
    const fields = new Map(remoteRoots.map((root) => [root, remoteRootFields(shape, names, root)]));
    for (const [root, own] of fields) {
      for (const field of own) {
        if (this.#fields[root].has(field)) {
          rejectWithCode("remote-schema-conflicts", `Duplicate remote field '${field}'`);
        }
        if (this.#ofSources()[root].has(field)) reject(`Field cannot be overwritten by remote field '${field}'`);
      }
    }
    const types = typesOf(shape, names);
    for (const [name, text] of types) {
      checkSame(name, text, this.#types.get(name));
      this.#checkSources(name, text);
    }
    for (const [root, own] of fields) for (const field of own) this.#fields[root].add(field);
    for (const [name, text] of types) this.#types.set(name, text);
    return names;
  }

  /**
   * Leaves out gateway fields that are in use. Each subgraph of Apollo Federation has the same two root fields, for
   * gateways rather than clients. The first remote schema keeps them, so that several subgraphs can be combined;
   * relationships may use the gateway fields of each subgraph.
   */
  #withoutTakenGatewayFields(shape: RemoteShape, names: RemoteNames): RemoteNames {
    if (names.namespace !== undefined) return names;
    const taken = gatewayFieldsOf(shape).filter((field) => {
      const name = names.fields.get(shape.query)?.get(field) ?? field;
      return this.#isSubgraph || this.#fields.query.has(name) || this.#ofSources().query.has(name);
    });
    return taken.length === 0 ? names : { ...names, leftOut: new Set(taken) };
  }

  #checkSources(name: string, text: Text): void {
    const { types, scalars, known } = this.#ofSources();
    const other = known.get(name);
    if (other !== undefined && other !== text()) conflict(name);
    if (scalars.has(name) && text() !== scalarText) conflict(name);
    if (other === undefined && types.ownerOf(name) !== undefined && !orderTexts.has(text())) conflict(name);
  }
}

/**
 * Type definitions of remote schemas for each role: permission documents may restrict the same type in different ways.
 */
export class RoleTypes {
  /** Definitions by role and name. */
  readonly #taken = new Map<string, Map<string, Text>>();

  /** @throws Rejection, without reserving any name */
  take(role: string, shape: RemoteRootTypes, names: RemoteNames): void {
    const taken = this.#taken.get(role) ?? new Map<string, Text>();
    const types = typesOf(shape, names);
    for (const [name, text] of types) checkSame(name, text, taken.get(name));
    this.#taken.set(role, new Map([...taken, ...types]));
  }
}

interface NamesOfSources extends Readonly<Record<RemoteRoot, ReadonlySet<string>>> {
  readonly types: TypeNames;
  readonly scalars: ReadonlySet<string>;
  /** Definitions of types by name: a remote schema may define the same type. */
  readonly known: ReadonlyMap<string, string>;
}

/** Root fields with which a gateway queries a subgraph, and the types that only these fields return. */
const gatewayFields: ReadonlyMap<string, string> = new Map([
  ["_service", "_Service"],
  ["_entities", "_Entity"],
]);

/** Returns the gateway fields of a remote schema. */
function gatewayFieldsOf({ query, types }: RemoteShape): readonly string[] {
  const root = types.get(query);
  if (root?.kind !== "object") return [];
  return root.fields.flatMap(({ name, type }) => (gatewayFields.get(name) === namedRemoteType(type) ? [name] : []));
}

/** Prints a definition. Texts are compared only for types that share a name, which are few of a large schema. */
type Text = () => string;

/** Returns the definitions by name, without root types, whose fields are merged instead. */
function typesOf(shape: RemoteRootTypes, names: RemoteNames): ReadonlyMap<string, Text> {
  const unseen = new Set(Array.from(names.leftOut ?? [], (field) => gatewayFields.get(field)));
  for (const root of remoteRoots) unseen.add(shape[root]);
  const types = new Map<string, Text>();
  for (const type of shape.types.values()) {
    if (unseen.has(type.name)) continue;
    types.set(
      names.types.get(type.name) ?? type.name,
      lazy(() => remoteTypeText(type, names)),
    );
  }
  return types;
}

/** @param other the definition of the same name, if any */
function checkSame(name: string, text: Text, other: Text | undefined): void {
  if (other !== undefined && other() !== text()) conflict(name);
}

function conflict(name: string): never {
  return reject(`Conflicting types: Found conflicting definitions for GraphQL type '${name}'.`);
}
