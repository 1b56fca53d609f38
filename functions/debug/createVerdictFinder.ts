import type { Hex } from 'viem'
import { describeError } from '#shared/http/describeError.ts'
import { logEntry } from '#shared/logging/logEntry.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { withDeadline } from '#shared/withDeadline.ts'

type Known<Verdict> = { verdict: Verdict | undefined; version: number; until: number }

/** Reports are polled while their order waits; facts from the chain and solvers may be this old. */
const lifetimeMs = 10_000
/** Maximum time that a report waits for the verdict. */
const timeoutMs = 3_000
const maxKnown = 500
/** Concurrent verdicts per isolate: each takes a quote and calls to the node, while reports are cheap to request. */
const maxFinding = 8

/**
 * Finds the verdict on an order for its report and caches it for seconds.
 * @param now Unix milliseconds
 * @returns a function that resolves to undefined when there is no verdict in time: a report is complete without one
 */
export const createVerdictFinder = <Verdict>(now: () => number, find: (uid: Hex) => Promise<Verdict | undefined>) => {
  const known = new Map<Hex, Known<Verdict>>()
  let finding = 0
  return async ({ uid, version }: Pick<StoredOrder, 'uid' | 'version'>): Promise<Verdict | undefined> => {
    const cached = known.get(uid)
    if (cached && cached.version === version && now() < cached.until) return cached.verdict
    if (finding >= maxFinding) return undefined
    finding += 1
    const verdict = await withDeadline(find(uid), timeoutMs)
      .catch((error: unknown) => {
        logEntry({ message: 'no verdict for a report', cause: describeError(error) })
        return undefined
      })
      .finally(() => {
        finding -= 1
      })
    if (known.size >= maxKnown) known.clear()
    known.set(uid, { verdict, version, until: now() + lifetimeMs })
    return verdict
  }
}
