/** The deployment files, checked by linters and for agreement with the server. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DCLinter } from "dclint";
import { Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { Service } from "kubernetes-models/v1";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { optionTable } from "../../runtime/config/option-table.ts";
import { root } from "../support/shared-checks.ts";

const folder = join(root, "docs/deployment");
const text = (name: string): string => readFileSync(join(folder, name), "utf8");

const known = new Set(Object.values(optionTable).map(({ variable }) => variable));
/** Returns the variables of the server in a text that belong to no option. */
const unknownVariables = (file: string): readonly string[] =>
  [...file.matchAll(/ENGINE_GRAPHQL_\w+/g)].map(([name]) => name).filter((name) => !known.has(name));

/** In seconds: the time that a process needs beyond its own timeout. */
const farewell = 3;

// biome-ignore lint/suspicious/noExplicitAny: documents of every shape
type Document = any;

const kinds = { Deployment, Service, PodDisruptionBudget, HorizontalPodAutoscaler, Ingress };

function manifestProblems(file: string): readonly string[] {
  return parseAllDocuments(file).flatMap((document) => {
    const json: Document = document.toJS();
    const Model = kinds[json.kind as keyof typeof kinds];
    if (Model === undefined) return [`nobody checks ${json.kind}`];
    try {
      new Model(json).validate();
      return json.kind === "Deployment" ? deploymentProblems(json) : [];
    } catch (error) {
      return [String(error)];
    }
  });
}

function deploymentProblems({ spec }: Document): readonly string[] {
  const { terminationGracePeriodSeconds, containers, securityContext } = spec.template.spec;
  const [container] = containers;
  const found: string[] = [];
  const setting = (name: string) => container.env.find((each: Document) => each.name === name)?.value;
  const pause = Number(/(\d+)\)$/.exec(container.lifecycle.preStop.exec.command.at(-1))?.[1]) / 1000;
  const needed = pause + Number(setting("ENGINE_GRAPHQL_GRACEFUL_SHUTDOWN_TIMEOUT")) + farewell;
  if (!(terminationGracePeriodSeconds > needed)) found.push(`the end takes ${needed} seconds`);
  for (const { name, value } of container.env) {
    if (/SECRET|URL/.test(name) && value !== undefined) found.push(`${name} stands in the file`);
  }
  for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"]) {
    const path = container[probe]?.httpGet.path;
    const expected = probe === "readinessProbe" ? "/readyz" : "/livez";
    if (path !== expected) found.push(`${probe} asks ${path}`);
  }
  if (securityContext.runAsNonRoot !== true) found.push("may run as root");
  if (container.securityContext.readOnlyRootFilesystem !== true) found.push("may write its files");
  return found;
}

describe("The example kubernetes.yaml", () => {
  const file = text("kubernetes.yaml");

  it("kubernetes.yaml is valid and drains connections", () => {
    expect(manifestProblems(file)).toEqual([]);
    expect(unknownVariables(file)).toEqual([]);
  });

  it.each([
    ["replicas: 3", "replicas: three"],
    ["terminationGracePeriodSeconds: 75", "terminationGracePeriodSeconds: 60"],
    ["path: /readyz", "path: /healthz"],
    ["readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false"],
    ["kind: Service", "kind: Servise"],
  ])("kubernetes.yaml is refused with %j replaced by %j", (before, after) => {
    expect(file).toContain(before);
    expect(manifestProblems(file.replace(before, after))).not.toEqual([]);
  });
});

describe("The example compose.yaml", () => {
  const lint = async (path: string): Promise<readonly string[]> => {
    const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] });
    const results = await linter.lintFiles([path], false);
    return results.flatMap(({ messages }) => messages.map(({ message }) => message));
  };

  it("compose.yaml has no lint problems and waits for the server to shut down", async () => {
    expect(await lint(join(folder, "compose.yaml"))).toEqual([]);
    expect(unknownVariables(text("compose.yaml"))).toEqual([]);
    const { environment, stop_grace_period, read_only } = parse(text("compose.yaml")).services.engine;
    const timeout = Number(environment.ENGINE_GRAPHQL_GRACEFUL_SHUTDOWN_TIMEOUT);
    expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(timeout + farewell);
    expect(read_only).toBe(true);
    expect(existsSync(join(folder, "../..", parse(text("compose.yaml")).services.engine.build.dockerfile))).toBe(true);
  });

  it("compose.yaml is refused without an image version", async () => {
    const made = await mkdtemp(join(tmpdir(), "engine-compose-"));
    const path = join(made, "compose.yaml");
    await writeFile(path, text("compose.yaml").replace(":15.14-bookworm", ""));
    expect(await lint(path)).not.toEqual([]);
    await rm(made, { recursive: true });
  });
});

describe("The example engine.service", () => {
  const file = text("engine.service");

  it("engine.service waits for the server to shut down", () => {
    expect(unknownVariables(file)).toEqual([]);
    const numberOf = (name: string): number =>
      Number(new RegExp(`^(?:Environment=)?${name}=(\\d+)$`, "m").exec(file)?.[1]);
    const timeout = numberOf("ENGINE_GRAPHQL_GRACEFUL_SHUTDOWN_TIMEOUT");
    expect(numberOf("TimeoutStopSec")).toBeGreaterThan(timeout + farewell);
  });

  it.skipIf(!existsSync("/usr/bin/systemd-analyze"))("engine.service passes the verification of systemd", async () => {
    const made = await mkdtemp(join(tmpdir(), "engine-service-"));
    const verify = async (unit: string): Promise<string> => {
      const path = join(made, "engine.service");
      await writeFile(path, unit.replace("/usr/bin/node", process.execPath));
      const ended = await promisify(execFile)("systemd-analyze", ["verify", path]).catch((error: Document) => error);
      return `${ended.stdout}${ended.stderr}`
        .split("\n")
        .filter((line) => line.includes(path) || line.startsWith("engine.service"))
        .join("\n");
    };
    expect(await verify(file)).toBe("");
    expect(await verify(file.replace("KillMode=mixed", "KilMode=mixed"))).toContain("KilMode");
    await rm(made, { recursive: true });
  });
});
