import type { Hex } from 'viem'
import type { Candidate } from '#schema/queries/auctions/solvableOrders.ts'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import { type CallBounds, type CallOutcome, callTogether } from '#shared/chain/calls/callTogether.ts'
import { encodeSignatureCheck, isAccepted } from '#shared/chain/calls/signatureCall.ts'
import { unpackOrderUid } from '#shared/signing/orderUid.ts'
import type { ClockDeps } from '../clockDeps.ts'

/** Results of signature checks by order UID: the newest, its block, and the number of consecutive rejections. */
export type SignatureCache = Map<Hex, { accepted: boolean; block: number; refusals: number }>

/**
 * Interval in blocks between checks of an accepted signature; a rejected one is checked after 1, 2, 4 … blocks, at most
 * this many.
 */
const acceptedBlocks = 20
/** Maximum number of contracts called per auction; the others keep their results until a later one. */
const maxAsked = 100
/** Gas units of a first check; ordinary wallets take a third. */
const firstBounds: CallBounds = { gasEach: 400_000n, maxRequests: 24 }
/** Gas units for wallets that need more: the maximum gas of settling an order. */
const secondBounds: CallBounds = { gasEach: 8_000_000n, maxRequests: 12 }
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
  { chain }: Pick<ClockDeps, 'chain'>,
  cache: SignatureCache,
  block: IndexedBlock,
  candidates: readonly Candidate[],
): Promise<ReadonlySet<Hex>> => {
  const orders = candidates.map(({ order }) => order).filter(canBeAsked)
  forgetOthers(cache, orders)
  const due = orders
    .filter(({ uid }) => isDue(cache.get(uid), block))
    .toSorted((a, b) => (cache.get(a.uid)?.block ?? -1) - (cache.get(b.uid)?.block ?? -1))
    .slice(0, maxAsked)
  const signal = AbortSignal.timeout(timeoutMs)
  const first = await askContracts({ chain }, due, { ...firstBounds, signal })
  const exhausted = due.filter(({ uid }) => first.get(uid) === 'exhausted').toSorted(byRefusals(cache))
  const second = await askContracts({ chain }, exhausted.slice(0, maxSecondChecks), { ...secondBounds, signal })
  for (const { uid } of due) {
    const verdict = first.get(uid) === 'exhausted' ? second.get(uid) : first.get(uid)
    if (verdict === undefined || verdict === 'notAsked') continue
    const refusals = verdict === 'accepted' ? 0 : (cache.get(uid)?.refusals ?? 0) + 1
    cache.set(uid, { accepted: verdict === 'accepted', block: block.number, refusals })
  }
  return new Set(orders.filter(({ uid }) => cache.get(uid)?.accepted === false).map(({ uid }) => uid))
}

type SignedOrder = Pick<Candidate['order'], 'uid' | 'owner' | 'signature'>

const canBeAsked = ({ signingScheme, preInteractions }: Candidate['order']): boolean =>
  signingScheme === 'eip1271' && preInteractions.length === 0

type Known = { accepted: boolean; block: number; refusals: number }

const isDue = (known: Known | undefined, { number }: IndexedBlock): boolean =>
  known === undefined || number < known.block || number - known.block >= computeWait(known)

const computeWait = ({ accepted, refusals }: Known): number =>
  accepted ? acceptedBlocks : Math.min(2 ** (refusals - 1), acceptedBlocks)

/** Previously accepted ones come first. */
const byRefusals = (cache: SignatureCache) => (a: SignedOrder, b: SignedOrder) =>
  (cache.get(a.uid)?.refusals ?? 0) - (cache.get(b.uid)?.refusals ?? 0)

const forgetOthers = (cache: SignatureCache, orders: readonly SignedOrder[]): void => {
  const uids = new Set(orders.map(({ uid }) => uid))
  for (const uid of cache.keys()) {
    if (!uids.has(uid)) cache.delete(uid)
  }
}

type Verdict = 'accepted' | 'refused' | 'exhausted' | 'notAsked'

const askContracts = async (
  { chain }: Pick<ClockDeps, 'chain'>,
  orders: readonly SignedOrder[],
  bounds: CallBounds,
): Promise<Map<Hex, Verdict>> => {
  const calls = orders.map(({ uid, owner, signature }) => {
    return { target: owner, callData: encodeSignatureCheck(unpackOrderUid(uid).digest, signature) }
  })
  const outcomes = await callTogether(chain, calls, bounds)
  return new Map(orders.map(({ uid }, i) => [uid, toVerdict(outcomes[i] ?? 'notAsked')]))
}

/** An account without code returns nothing. */
const toVerdict = (outcome: CallOutcome): Verdict => {
  if (outcome === 'exhausted' || outcome === 'notAsked') return outcome
  if (outcome === 'failed') return 'refused'
  return outcome === '0x' || isAccepted(outcome) ? 'accepted' : 'refused'
}
