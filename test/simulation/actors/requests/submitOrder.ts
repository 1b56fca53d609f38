import type { Address, Hex } from 'viem'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import { type SignableOrder, signOrder } from '../../../helpers/orders/signOrder.ts'
import { network } from '../../market.ts'
import { findPricingQuote, readQuotedAmounts } from '../../oracle/findPricingQuote.ts'
import type { PlacedOrder, Prediction, SimulatedAccount, World } from '../../world.ts'

const signing = {
  chainId: network.chainId,
  contracts: { settlement: network.settlementContract },
} as StackInfo

export type PlacementTerms = SignableOrder & {
  scheme?: 'presign' | 'eip1271' | undefined
  /** owner other than the signing account: its contract wallet */
  owner?: Address
  hook?: PlacedOrder['hook']
  /** in its app data as well */
  partnerFees?: PlacedOrder['partnerFees']
  validFrom?: number
  isTrap?: boolean
  /** requests a dry run before the placement: what is wrong with the order, and the words on which it depends */
  predicted?: Pick<Prediction, 'fault' | 'works' | 'isTried'> & { words: readonly string[] }
  /** the quote that it names */
  quoteId?: number
}

/** Signs an order, places it and follows it in the world's list. */
export const submitOrder = async (
  world: World,
  account: SimulatedAccount,
  terms: PlacementTerms,
): Promise<Hex | undefined> => {
  const {
    scheme,
    hook,
    quoteId,
    partnerFees = [],
    validFrom = 0,
    isTrap = false,
    predicted,
    owner = account.address,
    ...order
  } = terms
  const placedAt = world.chain.head().number
  const validTo = order.validTo ?? Math.floor(world.now() / 1_000) + 60 * network.blockTimeSeconds
  const receiver = order.receiver ?? owner
  const quote = findPricingQuote(world.quotes, { ...order, quoteId }, world.now())
  const creation = await signOrder(signing, account.privateKey, { ...order, receiver, validTo })
  const body = {
    ...{ ...creation, from: owner },
    ...(scheme ? { signingScheme: scheme } : {}),
    ...(scheme === 'presign' ? { signature: '0x' } : {}),
    ...(quoteId === undefined ? {} : { quoteId }),
  }
  const words = new Map(predicted?.words.map((key) => [key, world.chain.store.get(key)]))
  const dryRun = predicted && (await requestDryRun(world, body, order.kind))
  // quoted orders take the way of clients
  const [worker, path] = quoteId === undefined ? (['orders', ''] as const) : (['gateway', '/sepolia'] as const)
  const response = await world.service[worker].fetch(`http://${worker}${path}/api/v1/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Hex | { errorType: string; description: string }
  if (predicted && dryRun) {
    const [uid, errorType] = typeof answer === 'string' ? [answer, undefined] : [undefined, answer.errorType]
    const { status } = response
    const prediction = { ...dryRun, fault: predicted.fault, status, errorType, uid, placedAt }
    world.predictions.push({ ...prediction, works: predicted.works, isTried: predicted.isTried, words, validTo })
    world.log('predicted', prediction)
  }
  if (typeof answer !== 'string') {
    world.log('refused', { trader: account.name, status: response.status, ...answer })
    return undefined
  }
  const placed: PlacedOrder = {
    uid: answer,
    trader: account.name,
    owner,
    receiver: receiver.toLowerCase() as Hex,
    sellToken: order.sellToken,
    buyToken: order.buyToken,
    sellAmount: order.sellAmount,
    buyAmount: order.buyAmount,
    kind: order.kind ?? 'sell',
    partiallyFillable: order.partiallyFillable ?? false,
    validTo,
    scheme: scheme ?? 'eip712',
    ...{ hook, partnerFees, validFrom, isTrap },
    ...{ quoteId: quote?.id, quoted: quote && readQuotedAmounts(quote) },
    ...{ placedAt, cancelledAt: undefined },
  }
  world.orders.set(answer, placed)
  world.log('placed', { ...placed })
  return answer
}

type DryRun = {
  fillable: boolean
  fillableNow: { sellAmount: string; buyAmount: string } | null
  block: number | null
  checks: { status: string; reason?: string }[]
}

/** undefined when the service does not respond with one */
const requestDryRun = async (world: World, body: object, kind: SignableOrder['kind']) => {
  const response = await world.service.debug.fetch('http://debug/api/v1/orders/simulate', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (response.status !== 200) world.log('no dry run', { status: response.status, answer })
  if (response.status !== 200) return undefined
  const { fillable, fillableNow, block, checks } = answer as DryRun
  world.log('dry run', { fillable, checks })
  // a partially fillable order whose token moves only less than it pays for
  if (checks.some(({ reason }) => reason === 'transferFails')) return undefined
  const reasons = checks.flatMap(({ status, reason }) => (status === 'fail' ? [reason ?? 'unknown'] : []))
  const least = BigInt((kind === 'buy' ? fillableNow?.buyAmount : fillableNow?.sellAmount) ?? 0)
  return { fillable, isCertain: fillableNow !== null && block !== null, least, reasons, block }
}
