import { type Address, type Hex, numberToHex } from 'viem'
import { z } from 'zod'
import { callNode } from '#shared/chain/callNode.ts'
import { hexSchema } from '#shared/chain/calls/nodeValues.ts'
import { isUnsupported } from '#shared/chain/nodes/isUnsupported.ts'
import { type BundleTransaction, nodeErrorSchema, toCall } from './simulateBundle.ts'

/** A storage slot whose value differs from before the first transaction. */
export type SlotDiff = { address: Address; key: Hex; original: Hex; dirty: Hex }

/** Changed slots after each transaction, or why they are unknown. */
export type StateDiffs =
  | { status: 'found'; slots: SlotDiff[][] }
  | { status: 'nodeCannotTrace' | 'nodeUnavailable' | 'timeout' | 'tooMuch' }

type Account = z.infer<typeof accountSchema>
type Accounts = Map<Address, Account>

/** Maximum number of slots in a response, where each slot is repeated for every later transaction: 9 MB of JSON. */
const maxReported = 30_000

const emptyWord: Hex = `0x${'0'.repeat(64)}`

const accountSchema = z.object({
  balance: hexSchema.optional(),
  nonce: z.number().int().nonnegative().optional(),
  code: hexSchema.optional(),
  storage: z.record(z.string(), hexSchema).default({}),
})
const accountsSchema = z.record(z.string(), accountSchema)
const traceSchema = z.union([
  z.object({ result: z.object({ pre: accountsSchema, post: accountsSchema }) }),
  nodeErrorSchema,
])

/**
 * Cumulative storage changes of transactions. Each is traced on the block's state plus the changes of the earlier ones,
 * in sequential calls to the node.
 * @param block block of the simulation
 * @returns never rejects: a simulation is useful without storage changes
 */
export const findStateDiffs = async (
  rpcUrl: string,
  transactions: readonly BundleTransaction[],
  block: Hex,
  signal: AbortSignal,
): Promise<StateDiffs> => {
  const left: Accounts = new Map()
  const changed = new Map<string, SlotDiff>()
  const slots: SlotDiff[][] = []
  let reported = 0
  try {
    for (const transaction of transactions) {
      const tracer = { tracer: 'prestateTracer', tracerConfig: { diffMode: true }, stateOverrides: toOverrides(left) }
      const call = { method: 'debug_traceCall', params: [toCall(transaction), block, tracer] }
      const response = await callNode(rpcUrl, call, traceSchema, signal)
      if ('error' in response)
        return { status: isUnsupported(response.error.code) ? 'nodeCannotTrace' : 'nodeUnavailable' }
      applyTrace(left, changed, response.result)
      const differing = [...changed.values()].filter(({ original, dirty }) => original !== dirty)
      reported += differing.length
      if (reported > maxReported) return { status: 'tooMuch' }
      slots.push(differing)
    }
    return { status: 'found', slots }
  } catch {
    return { status: signal.aborted ? 'timeout' : 'nodeUnavailable' }
  }
}

type Trace = { pre: Record<string, Account>; post: Record<string, Account> }

/** Most nodes omit slots that are empty before or after. */
const applyTrace = (left: Accounts, changed: Map<string, SlotDiff>, { pre, post }: Trace): void => {
  for (const name of new Set([...Object.keys(pre), ...Object.keys(post)])) {
    const address = name.toLowerCase() as Address
    const before = pre[name]?.storage ?? {}
    const after = post[name]?.storage ?? {}
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])] as Hex[]
    const storage = Object.fromEntries(keys.map((key) => [key, after[key] ?? emptyWord]))
    const known = left.get(address)
    left.set(address, { ...known, ...post[name], storage: { ...known?.storage, ...storage } })
    for (const key of keys) {
      const slot = `${address}:${key}`
      const original = changed.get(slot)?.original ?? before[key] ?? emptyWord
      changed.set(slot, { address, key, original, dirty: after[key] ?? emptyWord })
    }
  }
}

const toOverrides = (accounts: Accounts) =>
  Object.fromEntries(
    [...accounts].map(([address, { storage, nonce, ...account }]) => [
      address,
      { ...account, ...(nonce === undefined ? {} : { nonce: numberToHex(nonce) }), stateDiff: storage },
    ]),
  )
