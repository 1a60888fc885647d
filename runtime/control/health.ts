/** What `/healthz` reports of the control plane. */
import type { HealthService } from "../http/services.ts";
import type { ControlPlane } from "./control-plane.ts";
import type { MetadataStore } from "./store.ts";

export function healthService(control: ControlPlane, store: MetadataStore): HealthService {
  return {
    async check() {
      if (!(await store.isReachable())) return "unreachable";
      const blocking = control.state.analysis.inconsistencies.some(({ informational }) => !informational);
      return blocking ? "inconsistent" : "ok";
    },
  };
}
