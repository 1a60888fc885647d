/** `rest/<endpoint>.ts` and `rest/(routes).ts`: REST endpoints and the tree that finds them. */
import { pathSegments } from "../../runtime/model/definitions/rest/endpoint.ts";
import type { RestEndpointIr, RestRoutesIr, RouteNodeIr } from "../3-lower/ir.ts";
import { stringLiteral } from "./escape.ts";
import { exportName } from "./identifiers.ts";
import { type Code, call, group, object } from "./layout.ts";
import { ModuleBuilder } from "./module-builder.ts";
import { operationPath, restEndpointPath, restRoutesPath } from "./paths.ts";
import { member } from "./sources.ts";

export function emitRestEndpoint(endpoint: RestEndpointIr, slice: string): string {
  const { name, path, methods, comment, operation } = endpoint;
  const header = { from: `REST endpoint ${name}`, slice };
  const module = new ModuleBuilder(restEndpointPath(name), header, ["endpoint"]);
  const properties = [
    member("name", stringLiteral(name)),
    member("path", stringLiteral(path)),
    member("methods", group("[", methods.map(stringLiteral), "]")),
    module.import(operationPath(operation), "operation"),
  ];
  const define = module.support("restEndpoint");
  const url = `/api/rest/${pathSegments(path).join("/")}`;
  const title = `${methods.join(", ")} ${url}: query ${operation.name} of collection ${operation.collection}.`;
  module.declare(
    [title, ...(comment === undefined ? [] : [comment])],
    call(`export const endpoint = ${define}`, object(properties)),
  );
  return module.toString();
}

export function emitRestRoutes({ root }: RestRoutesIr, slice: string): string {
  const module = new ModuleBuilder(restRoutesPath, { from: "REST endpoints", slice }, ["routes"]);
  const type = module.supportType("RouteNode");
  const comment = "Which endpoints the segments of a path below /api/rest/ lead to; `variable` is any segment.";
  module.declare([comment], { parts: [`export const routes: ${type} = `, nodeCode(module, root)] });
  return module.toString();
}

function nodeCode(module: ModuleBuilder, { literals, variable, endpoints }: RouteNodeIr): Code {
  const known = literals.map(({ segment, node }) => member(segment, nodeCode(module, node)));
  const found = endpoints.map((name) => `() => ${module.import(restEndpointPath(name), "endpoint", exportName(name))}`);
  return object([
    ...(known.length === 0 ? [] : [member("literals", group("{ ", known, " }"))]),
    ...(variable ? [member("variable", nodeCode(module, variable))] : []),
    ...(found.length === 0 ? [] : [member("endpoints", group("[", found, "]"))]),
  ]);
}
