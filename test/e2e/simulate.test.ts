import { sql } from 'drizzle-orm'
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { createAccounts, createTokenlessAccount } from '../helpers/orders/createTrader.ts'
import { type SignableOrder, signOrder } from '../helpers/orders/signOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

let stack: SharedStack
let base: string
let rich: DevAccount
let poor: DevAccount

beforeAll(async () => {
  stack = await useSharedStack()
  base = `${stack.info.baseUrl}/${stack.info.network}/api/v1`
  ;[rich] = (await createAccounts(stack, 1)) as [DevAccount]
  poor = await createTokenlessAccount(stack)
  for (const { address } of [rich, poor]) await approve(address, token('WETH'))
})

afterAll(() => stack?.stop())

const token = (symbol: string): Address => stack.info.tokens[symbol]?.address as Address
const approve = (owner: Address, to: Address) => {
  const args = [stack.info.contracts.vaultRelayer as Address, maxUint256] as const
  return sendFrom(stack.chain, owner, {
    to,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }),
  })
}
const give = (symbol: string, to: Address, amount: bigint) => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  return sendFrom(stack.chain, rich.address, { to: token(symbol), data })
}

const post = (path: string, body: object) =>
  fetch(base + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })

type DryRun = {
  fillable: boolean
  orderUid: Hex
  block: number
  checks: { check: string; status: string; reason?: string; evidence: Record<string, unknown> }[]
}
const read = async (response: Response): Promise<DryRun> => {
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(readRoundTrips(response)).toMatchObject({ db: 1 })
  return response.json() as never
}
/** Requests to each dependency. */
const readRoundTrips = (response: Response) =>
  Object.fromEntries(
    [...(response.headers.get('server-timing') ?? '').matchAll(/(\w+);dur=[\d.]+;desc="(\d+)"/g)].map(
      ([, name, count]) => [name, Number(count)],
    ),
  )
const complaints = ({ checks }: DryRun) =>
  checks.flatMap(({ check, status, reason }) => (status === 'pass' ? [] : [`${check} ${status} ${reason}`]))
const evidenceOf = ({ checks }: DryRun, name: string) => checks.find(({ check }) => check === name)?.evidence

const terms = (changes: Partial<SignableOrder> = {}): SignableOrder => ({
  sellToken: token('WETH'),
  buyToken: token('USDC'),
  sellAmount: parseUnits('0.5', 18),
  buyAmount: parseUnits('1000', 6),
  ...changes,
})

test('any order is simulated before and after it is funded, and nothing is stored', async () => {
  const database = connectDatabase(stack.info.databaseUrl)
  const count = async () =>
    (
      await database.execute(
        sql`select (select count(*) from orders) as orders, (select count(*) from app_data) as documents`,
      )
    ).rows
  const before = await count()
  const order = await signOrder(stack.info, poor.privateKey, terms())
  const unfunded = await read(await post('/orders/simulate', order))
  expect(unfunded.fillable).toBe(false)
  expect(complaints(unfunded)).toContain('balance fail InsufficientBalance')
  expect(evidenceOf(unfunded, 'balance')).toEqual({
    available: '0',
    needed: parseUnits('0.5', 18).toString(),
    token: token('WETH'),
  })
  await give('WETH', poor.address, parseUnits('0.5', 18))
  const response = await post('/orders/simulate', order)
  expect(readRoundTrips(response)).toEqual({ db: 1, rpc: 1 })
  const funded = await read(response)
  expect(complaints(funded).filter((complaint) => !complaint.startsWith('price'))).toEqual([])
  expect(funded.orderUid).toBe(unfunded.orderUid)
  expect(funded.block).toBeGreaterThanOrEqual(unfunded.block)

  const { signature: _, ...unsigned } = order
  expect(complaints(await read(await post('/orders/simulate', unsigned)))).toContain('signature skipped unsigned')
  expect(await count()).toEqual(before)
})

test('a placed order is simulated as it is; after a partial fill only its rest', async () => {
  const buyAmount = parseUnits('2000', 6)
  const order = await signOrder(stack.info, rich.privateKey, terms({ buyAmount, partiallyFillable: true }))
  // waits for a presignature, so that no solver fills it meanwhile
  const uid = (await (await post('/orders', { ...order, signingScheme: 'presign', signature: '0x' })).json()) as Hex
  const whole = await read(await fetch(`${base}/orders/${uid}/simulate`))
  expect(whole.orderUid).toBe(uid)
  expect(complaints(whole)).toContain('signature fail PresignaturePending')
  expect(evidenceOf(whole, 'transferability')).toMatchObject({ amount: parseUnits('0.5', 18).toString() })

  const database = connectDatabase(stack.info.databaseUrl)
  await database.execute(sql`update orders set executed_sell_amount = ${parseUnits('0.2', 18)}, executed_buy_amount = 1
    where uid = decode(${uid.slice(2)}, 'hex')`)
  const rest = await read(await fetch(`${base}/orders/${uid}/simulate`))
  expect(evidenceOf(rest, 'transferability')).toMatchObject({ amount: parseUnits('0.3', 18).toString() })
})

test('a filled order is reported as filled, and its price is compared with the newest auction', async () => {
  const uid = (await (await post('/orders', await signOrder(stack.info, rich.privateKey, terms()))).json()) as Hex
  const simulate = async () => read(await fetch(`${base}/orders/${uid}/simulate`))
  await waitUntil('filled', async () => complaints(await simulate()).includes('state fail OrderFullyExecuted'), {
    timeoutMs: patienceMs,
    intervalMs: 500,
  })
  const dear = await signOrder(stack.info, rich.privateKey, terms({ buyAmount: parseUnits('1000000', 6) }))
  const dryRun = await read(await post('/orders/simulate', dear))
  expect(complaints(dryRun)).toEqual(['price fail OutOfMarket'])
  expect(evidenceOf(dryRun, 'price')).toMatchObject({ gapBps: expect.any(Number), auctionId: expect.any(Number) })
})
