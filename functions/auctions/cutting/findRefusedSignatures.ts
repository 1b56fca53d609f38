import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { IndexedBlock } from '#schema/queries/blocks.ts'
import type { Candidate } from '#schema/queries/solvableOrders.ts'
import { isContractFault } from '#shared/chain/isContractFault.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { eip1271MagicValue } from '#shared/signing/eip1271MagicValue.ts'
import { unpackOrderUid } from '#shared/signing/orderUid.ts'
import type { ClockDeps } from '../clockDeps.ts'

/** What contracts said of signatures, by order UID, and in which block. */
export type SignatureCache = Map<Hex, { accepted: boolean; block: number }>

const eip1271Abi = parseAbi(['function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)'])

/** A signature that was accepted is asked about again after this many blocks, one that was refused in each. */
const acceptedBlocks = 20
/** Contracts asked for one auction; the others keep their verdicts until their turn comes. */
const maxAsked = 100
/** Bytes of calldata in one `eth_call`. */
const batchBytes = 64 * 1024
/** Gas units of one contract asked alone: as much as settling any order may take. */
const gasAlone = 8_000_000n
/** A Worker has six connections. */
const parallelCalls = 4

/**
 * Orders whose owner, a contract, accepted the signature once and does so no longer: settling them would revert. Each contract
 * is asked at most once a block. An owner without code, and one that the order's hooks prepare, is not asked: what it will say
 * in the settlement cannot be known before.
 * @returns UIDs of the refused orders
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
  const verdicts = await askContracts({ chain }, due)
  for (const [index, { uid }] of due.entries()) {
    cache.set(uid, { accepted: verdicts[index] ?? true, block: block.number })
  }
  return new Set(orders.filter(({ uid }) => cache.get(uid)?.accepted === false).map(({ uid }) => uid))
}

type SignedOrder = Pick<Candidate['order'], 'uid' | 'owner' | 'signature'>

const canBeAsked = ({ signingScheme, preInteractions }: Candidate['order']): boolean =>
  signingScheme === 'eip1271' && preInteractions.length === 0

const isDue = (known: { accepted: boolean; block: number } | undefined, { number }: IndexedBlock): boolean =>
  known === undefined || number < known.block || number - known.block >= (known.accepted ? acceptedBlocks : 1)

const forgetOthers = (cache: SignatureCache, orders: readonly SignedOrder[]): void => {
  const uids = new Set(orders.map(({ uid }) => uid))
  for (const uid of cache.keys()) {
    if (!uids.has(uid)) cache.delete(uid)
  }
}

const askContracts = async (
  { chain }: Pick<ClockDeps, 'chain'>,
  orders: readonly SignedOrder[],
): Promise<boolean[]> => {
  if (orders.length === 0) return []
  const answers = await chain.multicall({
    contracts: orders.map((order) => ({
      address: order.owner,
      abi: eip1271Abi,
      functionName: 'isValidSignature' as const,
      args: toArguments(order),
    })),
    allowFailure: true,
    batchSize: batchBytes,
  })
  const unclear = orders.map((order, index) => ({ order, accepted: answers[index]?.result === eip1271MagicValue }))
  // a contract may burn the gas of the others, so no refusal counts that was not given alone
  return mapBounded(unclear, parallelCalls, async ({ order, accepted }) => accepted || askAlone({ chain }, order))
}

const askAlone = async ({ chain }: Pick<ClockDeps, 'chain'>, order: SignedOrder): Promise<boolean> => {
  const data = encodeFunctionData({ abi: eip1271Abi, functionName: 'isValidSignature', args: toArguments(order) })
  try {
    const { data: answer = '0x' } = await chain.call({ to: order.owner, data, gas: gasAlone })
    return answer === '0x' || (answer.length >= 66 && answer.startsWith(eip1271MagicValue))
  } catch (error) {
    if (isContractFault(error)) return false
    throw error
  }
}

const toArguments = ({ uid, signature }: SignedOrder) => [unpackOrderUid(uid).digest, signature] as const
