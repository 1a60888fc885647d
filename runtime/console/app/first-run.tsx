/** Checklist for a server without permissions. Each step is done once the metadata has its result. */
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Link } from "../routing/link.tsx";
import { hasRunOperation } from "../state/first-run.ts";
import { loadMetadata, metadata, roles, sources } from "../state/metadata.ts";

interface Step {
  readonly title: string;
  readonly to: readonly string[];
  readonly isDone: boolean;
}

const key = "engine-console-first-run";

/** `shown` once the checklist was visible, so that its last step stays visible; `dismissed` after it was closed. */
const stored = signal(localStorage.getItem(key));

function store(value: "shown" | "dismissed"): void {
  stored.value = value;
  localStorage.setItem(key, value);
}

const steps = computed<readonly Step[]>(() => {
  const [first] = sources.value;
  const data = first ? ["data", first.name] : ["data"];
  return [
    { title: "Connect a database", to: ["data"], isDone: first !== undefined },
    { title: "Track a table", to: data, isDone: sources.value.some(({ tables }) => tables.length > 0) },
    { title: "Add a permission", to: ["permissions"], isDone: roles.value.length > 0 },
    { title: "Run a query", to: ["api"], isDone: hasRunOperation.value },
  ];
});

export function FirstRun() {
  useEffect(() => {
    if (!metadata.value) void loadMetadata();
  }, []);
  const isUnused = metadata.value !== null && steps.value.slice(0, 3).some(({ isDone }) => !isDone);
  const isComplete = steps.value.every(({ isDone }) => isDone);
  const isShown =
    metadata.value !== null && stored.value !== "dismissed" && !isComplete && (isUnused || stored.value === "shown");
  useEffect(() => {
    if (isShown) store("shown");
  }, [isShown]);
  if (!isShown) return null;
  const next = steps.value.find(({ isDone }) => !isDone);
  return (
    <section class="first-run" aria-label="First steps">
      <h2>First steps</h2>
      <ol>
        {steps.value.map((step) => (
          <li key={step.title} class={step.isDone ? "done" : step === next ? "next" : ""}>
            <span class="step-mark">{step.isDone && <Icon name="check" />}</span>
            {step.isDone ? (
              <span>
                {step.title}
                <span class="visually-hidden">: done</span>
              </span>
            ) : (
              <Link to={step.to}>{step.title}</Link>
            )}
          </li>
        ))}
      </ol>
      <IconButton icon="close" label="Hide the first steps" onClick={() => store("dismissed")} />
    </section>
  );
}
