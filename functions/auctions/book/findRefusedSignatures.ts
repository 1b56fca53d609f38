import type { Hex } from 'viem'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import type { CallBounds } from '#shared/chain/calls/callTogether.ts'
import type { BookDeps } from './bookDeps.ts'
import { findSignatureVerdicts } from './findSignatureVerdicts.ts'
import { forgetOtherOrders } from './forgetOtherOrders.ts'

/** Results of signature checks by order UID: the newest, its block, and the number of consecutive rejections. */
export type SignatureCache = Map<Hex, { accepted: boolean; block: number; refusals: number }>

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
/** Time limit of all checks of one auction. */
const timeoutMs = 4_000

/**
 * Finds orders whose owner contract no longer accepts the signature, so that their settlement would revert. Each
 * contract is called at most once per block, and can only fail its own order. Owners without code, and owners that the
 * order's hooks prepare, are not checked: their result in the settlement is unknown.
 * @returns UIDs of the rejected orders
 * @throws Error when the node fails
 */
export const findRefusedSignatures = async (
  { chain, maxGas }: Pick<BookDeps, 'chain' | 'maxGas'>,
  cache: SignatureCache,
  block: IndexedBlock,
  candidates: readonly Candidate[],
): Promise<ReadonlySet<Hex>> => {
  const orders = candidates
    .map(({ order }) => order)
    .filter(({ signingScheme, preInteractions }) => signingScheme === 'eip1271' && preInteractions.length === 0)
  forgetOtherOrders(cache, orders)
  const due = orders
    .filter(({ uid }) => isDue(cache.get(uid), block))
    .toSorted((a, b) => (cache.get(a.uid)?.block ?? -1) - (cache.get(b.uid)?.block ?? -1))
    .slice(0, maxChecked)
  const signal = AbortSignal.timeout(timeoutMs)
  const first = await findSignatureVerdicts({ chain }, due, { ...firstBounds, signal })
  const refusalsOf = ({ uid }: { uid: Hex }) => cache.get(uid)?.refusals ?? 0
  // previously accepted ones come first
  const exhausted = due
    .filter(({ uid }) => first.get(uid) === 'exhausted')
    .toSorted((a, b) => refusalsOf(a) - refusalsOf(b))
  const second = await findSignatureVerdicts({ chain }, exhausted.slice(0, maxSecondChecks), {
    gasEach: maxGas,
    maxRequests: maxSecondRequests,
    signal,
  })
  for (const { uid } of due) {
    const verdict = first.get(uid) === 'exhausted' ? second.get(uid) : first.get(uid)
    if (verdict === undefined || verdict === 'notRequested') continue
    const refusals = verdict === 'accepted' ? 0 : (cache.get(uid)?.refusals ?? 0) + 1
    cache.set(uid, { accepted: verdict === 'accepted', block: block.number, refusals })
  }
  return new Set(orders.filter(({ uid }) => cache.get(uid)?.accepted === false).map(({ uid }) => uid))
}

type Known = { accepted: boolean; block: number; refusals: number }

const isDue = (known: Known | undefined, { number }: IndexedBlock): boolean =>
  known === undefined || number < known.block || number - known.block >= computeWait(known)

const computeWait = ({ accepted, refusals }: Known): number =>
  accepted ? acceptedBlocks : Math.min(2 ** (refusals - 1), acceptedBlocks)
