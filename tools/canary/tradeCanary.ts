import { setTimeout as sleep } from 'node:timers/promises'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { addressSchema, hashSchema, orderUidSchema } from '#shared/validation/chainValues.ts'

export type CanaryOrder = {
  /** of the deployment, without the network */
  baseUrl: string
  /** name of the network in the deployment's paths */
  network: string
  /** of an account that holds the sell token and has approved the vault relayer */
  privateKey: Hex
  /** absent: the wrapped native token */
  sellToken?: Address | undefined
  buyToken: Address
  /** sell token atoms, with all fees */
  amount: bigint
  /** gives the account what it sells, and approves it */
  prepare?: (sale: {
    sellToken: Address
    wrappedNative: Address
    vaultRelayer: Address
    amount: bigint
    chainId: number
  }) => Promise<void>
  /** time for the fill */
  timeoutSeconds: number
}

/** Times of one trade as a client sees them; null: not reached. */
export type CanaryTimes = {
  network: string
  orderUid: string | null
  /** from the request of the quote to its response */
  quoteMs: number | null
  /** from sending the signed order to its UID */
  placementMs: number | null
  /** from the UID to the status `fulfilled`, as a poll per half second sees it */
  fillMs: number | null
  /** the first thing that went wrong */
  error: string | null
}

/** Of one request; a deployment that is slower has failed. */
const requestTimeoutMs = 30_000
const pollMs = 500

/**
 * Trades one small order over the public API, as a client without any SDK: requests a quote, signs it as returned,
 * places the order and follows it to the fill. An order that does not fill in time expires with its quote's validity.
 */
export const tradeCanary = async (canary: CanaryOrder): Promise<CanaryTimes> => {
  const times: CanaryTimes = { network: canary.network, orderUid: null, ...nothingMeasured, error: null }
  try {
    await trade(canary, times)
  } catch (error) {
    times.error = error instanceof Error ? error.message : String(error)
  }
  return times
}

const nothingMeasured = { quoteMs: null, placementMs: null, fillMs: null }

const trade = async (canary: CanaryOrder, times: CanaryTimes): Promise<void> => {
  const { baseUrl, network, privateKey, buyToken, amount } = canary
  const account = privateKeyToAccount(privateKey)
  const owner = account.address.toLowerCase() as Address
  const { networks } = await request(`${baseUrl}/`, indexSchema)
  const found = networks.find(({ name }) => name === network)
  if (!found)
    throw new Error(`${baseUrl} has no network ${network}, but ${networks.map(({ name }) => name).join(', ')}`)
  const api = `${baseUrl}/${network}/api/v1`
  const sellToken = canary.sellToken ?? found.wrappedNative
  await canary.prepare?.({ ...found, sellToken, amount })

  const asked = { kind: 'sell', sellToken, buyToken, from: owner, sellAmountBeforeFee: amount.toString() }
  const quotedAt = performance.now()
  const quoted = await request(`${api}/quote`, quoteSchema, { ...asked, slippageBps: 'auto' })
  times.quoteMs = since(quotedAt)
  const order = { ...quoted.quote, receiver: owner }
  const { sellAmount, buyAmount, feeAmount } = order
  const separator = computeDomainSeparator(found.chainId, found.settlementContract)
  const signature = await account.sign({ hash: computeOrderDigest(separator, order) })

  const signed = { from: owner, signingScheme: 'eip712', signature, quoteId: quoted.id }
  const body = { ...order, ...toText({ sellAmount, buyAmount, feeAmount }), ...signed }
  const placedAt = performance.now()
  const uid = await request(`${api}/orders`, orderUidSchema, body)
  times.placementMs = since(placedAt)
  times.orderUid = uid

  const acceptedAt = performance.now()
  while (since(acceptedAt) < canary.timeoutSeconds * 1_000) {
    const { status } = await request(`${api}/orders/${uid}`, statusSchema)
    if (status === 'fulfilled') {
      times.fillMs = since(acceptedAt)
      return
    }
    if (status !== 'open') throw new Error(`the order is ${status}`)
    await sleep(pollMs)
  }
  throw new Error(
    `the order is open after ${canary.timeoutSeconds} s; it expires at ${new Date(order.validTo * 1_000).toISOString()}`,
  )
}

const amountSchema = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
const networkSchema = z.object({
  name: z.string(),
  chainId: z.number(),
  wrappedNative: addressSchema,
  settlementContract: addressSchema,
  vaultRelayer: addressSchema,
})
const indexSchema = z.object({ networks: z.array(networkSchema) })
const quoteSchema = z.object({
  id: z.number(),
  quote: z.object({
    sellToken: addressSchema,
    buyToken: addressSchema,
    sellAmount: amountSchema,
    buyAmount: amountSchema,
    feeAmount: amountSchema,
    validTo: z.number(),
    appData: z.string(),
    appDataHash: hashSchema,
    kind: z.enum(['sell', 'buy']),
    partiallyFillable: z.boolean(),
    sellTokenBalance: z.enum(['erc20', 'external', 'internal']),
    buyTokenBalance: z.enum(['erc20', 'internal']),
  }),
})
const statusSchema = z.object({ status: z.string() })

/** @throws Error with the status and the API's own error */
const request = async <Answer>(url: string, schema: z.ZodType<Answer>, body?: object): Promise<Answer> => {
  const headers = { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) }
  const response = await fetch(url, {
    headers,
    signal: AbortSignal.timeout(requestTimeoutMs),
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${(await response.text()).slice(0, 500)}`)
  return schema.parse(await response.json())
}

const since = (start: number): number => Math.round(performance.now() - start)
const toText = (amounts: Record<string, bigint>): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, value.toString()]))
