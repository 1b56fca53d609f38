import type { Hex } from 'viem'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import type { CallBounds } from '#shared/chain/calls/callTogether.ts'
import { toNextBlock } from '#shared/chain/nextBlock.ts'
import { toUnixSeconds } from '#shared/toUnixSeconds.ts'
import { alternate } from './alternate.ts'
import type { BookDeps } from './bookDeps.ts'
import { computePreInteractions } from './computePreInteractions.ts'
import { findSignatureVerdicts, simulateSignatureVerdicts } from './findSignatureVerdicts.ts'
import { forgetOtherOrders } from './forgetOtherOrders.ts'

/** Newest result of a signature check, its block, and the number of consecutive rejections. */
type Known = { accepted: boolean; block: number; refusals: number }
/** by order UID */
export type SignatureCache = Map<Hex, Known>

/**
 * Interval in blocks between checks of an accepted signature; a rejected one is checked after 1, 2, 4 … blocks, at most
 * this many.
 */
const acceptedBlocks = 20
/** Maximum number of contracts called per auction; the results of the others remain until a later one. */
const maxChecked = 100
/** Gas units of a first check; ordinary wallets take a third. */
const firstBounds: CallBounds = { gasEach: 400_000n, maxRequests: 24 }
/** Requests for wallets that need more; each may take as much gas as settling any order. */
const maxSecondRequests = 12
/** Maximum number of wallets checked with the larger limit per auction. */
const maxSecondChecks = 8
/** Maximum number of orders simulated with their hooks per auction. */
const maxSimulated = 16
/** Time limit of all checks of one auction. */
const timeoutMs = 4_000

/**
 * Finds orders whose owner contract does not accept the signature in the next block, so that their settlement would revert. Each
 * contract is called at most once per block, and can only fail its own order. An owner without code accepts nothing,
 * unless the order's own pre-hooks deploy it: orders with hooks are simulated with them. Beyond the bounds, orders without
 * a result alternate with those whose check is the oldest.
 * @returns UIDs of the rejected orders
 * @throws Error when the node fails
 */
export const findRefusedSignatures = async (
  deps: Pick<BookDeps, 'network' | 'chain' | 'simulate' | 'maxGas'>,
  cache: SignatureCache,
  block: IndexedBlock,
  candidates: readonly Candidate[],
): Promise<ReadonlySet<Hex>> => {
  const { maxGas } = deps
  const orders = candidates.map(({ order }) => order).filter(({ signingScheme }) => signingScheme === 'eip1271')
  forgetOtherOrders(cache, orders)
  const known = orders
    .filter(({ uid }) => cache.has(uid) && isDue(cache.get(uid), block))
    .toSorted((a, b) => (cache.get(a.uid)?.block ?? 0) - (cache.get(b.uid)?.block ?? 0))
  const unknown = orders.filter(({ uid }) => !cache.has(uid))
  const isHooked = (order: (typeof orders)[number]) => computePreInteractions(order).length > 0
  const isPlain = (order: (typeof orders)[number]) => !isHooked(order)
  const due = alternate(unknown.filter(isPlain), known.filter(isPlain)).slice(0, maxChecked)
  const hooked = alternate(unknown.filter(isHooked), known.filter(isHooked)).slice(0, maxSimulated)
  const signal = AbortSignal.timeout(timeoutMs)
  const simulated = simulateSignatureVerdicts(deps, hooked, signal)
  // awaited below, after an error of the other checks possibly never
  simulated.catch(() => undefined)
  const { blockTimeSeconds } = deps.network
  const next = toNextBlock(
    { head: block.number, timestamp: BigInt(toUnixSeconds(block.timestamp.getTime())) },
    blockTimeSeconds,
  )
  const first = await findSignatureVerdicts(deps, due, { ...firstBounds, next, signal })
  const refusalsOf = ({ uid }: { uid: Hex }) => cache.get(uid)?.refusals ?? 0
  // previously accepted ones come first
  const exhausted = due
    .filter(({ uid }) => first.get(uid) === 'exhausted')
    .toSorted((a, b) => refusalsOf(a) - refusalsOf(b))
  const second = await findSignatureVerdicts(deps, exhausted.slice(0, maxSecondChecks), {
    gasEach: maxGas,
    maxRequests: maxSecondRequests,
    next,
    signal,
  })
  const ofHooked = await simulated
  for (const { uid } of [...due, ...hooked]) {
    const verdict = ofHooked.get(uid) ?? (first.get(uid) === 'exhausted' ? second.get(uid) : first.get(uid))
    if (verdict === undefined || verdict === 'notRequested') continue
    const accepted = verdict === 'accepted'
    cache.set(uid, { accepted, block: block.number, refusals: accepted ? 0 : refusalsOf({ uid }) + 1 })
  }
  return new Set(orders.filter(({ uid }) => cache.get(uid)?.accepted === false).map(({ uid }) => uid))
}

const isDue = (known: Known | undefined, { number }: IndexedBlock): boolean =>
  known === undefined || number < known.block || number - known.block >= computeWait(known)

const computeWait = ({ accepted, refusals }: Known): number =>
  accepted ? acceptedBlocks : Math.min(2 ** (refusals - 1), acceptedBlocks)
