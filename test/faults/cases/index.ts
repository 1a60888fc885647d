/** All faults. A shortened run includes only the quick ones. */
import type { Fault } from "../lab/lab.ts";
import { abortedReads, abortedWrites } from "./aborted-requests.ts";
import { actionLoss } from "./action-loss.ts";
import { connectionLimit } from "./connection-limit.ts";
import { crashes, restarts, standstill, terminatedBackends } from "./database.ts";
import { embeddedPostgres } from "./embedded.ts";
import { killedEngine, stoppedEngine } from "./engine.ts";
import { eventLoss } from "./event-loss.ts";
import { failover } from "./failover.ts";
import { frozenAndEnded, frozenConnection, frozenForAMoment, frozenReload } from "./frozen-connection.ts";
import { fullDisk } from "./full-disk.ts";
import { healthDuringFaults } from "./health.ts";
import { lockPileUp } from "./locks.ts";
import { lostAnswers } from "./lost-answers.ts";
import { cutConnections, refusedConnections, slowNetwork } from "./network.ts";
import { vanishingPackets } from "./network-namespace.ts";
import { pooledNotifications } from "./pooler.ts";
import { scheduleLoss } from "./schedule-loss.ts";
import { sealedArtifact } from "./sealed.ts";
import { shortage } from "./shortage.ts";
import { secondSignal, shutdownUnderLoad, stuckShutdown } from "./shutdown.ts";
import { silentClients, vanishedFollowers } from "./silent-clients.ts";
import { slowReaders } from "./slow-readers.ts";
import { encrypted } from "./tls.ts";
import { revokedWhileFrozen } from "./two-instances.ts";
import { unreachableSource } from "./unreachable-source.ts";

export const faults: readonly Fault[] = [
  frozenConnection,
  frozenAndEnded,
  frozenForAMoment,
  frozenReload,
  vanishingPackets,
  cutConnections,
  refusedConnections,
  slowNetwork,
  terminatedBackends,
  restarts,
  crashes,
  standstill,
  connectionLimit,
  lockPileUp,
  fullDisk,
  unreachableSource,
  healthDuringFaults,
  abortedReads,
  abortedWrites,
  silentClients,
  vanishedFollowers,
  slowReaders,
  shortage,
  stuckShutdown,
  secondSignal,
  shutdownUnderLoad,
  killedEngine,
  stoppedEngine,
  revokedWhileFrozen,
  eventLoss,
  lostAnswers,
  scheduleLoss,
  actionLoss,
  pooledNotifications,
  failover,
  embeddedPostgres,
  sealedArtifact,
  encrypted,
];
