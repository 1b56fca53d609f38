import type { PlatformPlan } from '../../workerd/workerdPlans.ts'

/** A queue, which has its messages on disk. */
export type Queue = {
  add: (bodies: readonly string[]) => Promise<void>
  resume: () => Promise<void>
}

/** Environment of the platform Worker, beside the bindings that the plan names. */
export type PlatformEnv = Record<string, unknown> & {
  PLAN: PlatformPlan
  QUEUES: { getByName: (name: string) => Queue }
  /** folder of the buckets, and that of the pages */
  BUCKETS: Fetcher
  ASSETS: Fetcher
  /** public addresses, and all addresses */
  PUBLIC: Fetcher
  ANYWHERE: Fetcher
  /** the Workers that serve requests; absent while another process has them */
  EDGE?: { drain: () => Promise<void> }
}
