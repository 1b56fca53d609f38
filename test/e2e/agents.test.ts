import { type Hex, parseEther, parseUnits } from 'viem'
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import { checkReceipt } from '../../examples/receipt.ts'
import { mcpTools } from '../../functions/gateway/mcp/mcpTools.ts'
import { countAuctionsToFill } from '../helpers/hostile/countAuctionsToFill.ts'
import { createDice } from '../helpers/hostile/createDice.ts'
import { createTokenlessAccount, createTrader } from '../helpers/orders/createTrader.ts'
import { type Agent, connectAgent } from '../helpers/stack/connectAgent.ts'
import { findToken } from '../helpers/stack/findToken.ts'
import { receiptKey, type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

let stack: SharedStack
let agent: Agent

beforeAll(async () => {
  stack = await useSharedStack()
  await connectTrader(stack.info, key()).approveRelayer(findToken(stack.info, 'WETH').address)
  agent = await connectAgent(stack.info.baseUrl, network)
})
afterAll(async () => {
  await agent?.close()
  await stack?.stop()
})

const key = () => stack.info.accounts[0]?.privateKey as Hex

/** Trades by the tools of the endpoint, and by the account's own signature. */
const trade = async (terms: Record<string, string>): Promise<Hex> => {
  const from = privateKeyToAccount(key()).address.toLowerCase()
  const uid = await agent.open(key(), { sellToken: weth(), buyToken: usdc(), from, receiver: receiver(), ...terms })
  await agent.follow(uid)
  return uid
}

const network = 'sepolia'
const weth = () => findToken(stack.info, 'WETH').address
const usdc = () => findToken(stack.info, 'USDC').address
const receiver = () => stack.info.accounts[1]?.address.toLowerCase() as string
const sell = { kind: 'sell', sellAmountBeforeFee: parseEther('0.1').toString() }

test('an agent that knows only the base URL trades by the tools of the endpoint and its own signature', async () => {
  const user = privateKeyToAccount(key()).address
  const { networks } = (await agent.call('networks')) as { networks: { name: string }[] }
  expect(networks.map(({ name }) => name)).toContain(network)
  expect(await agent.call('status')).toMatchObject({ networks: { sepolia: { state: expect.any(String) } } })
  expect(await agent.call('native_price', { network, token: weth() })).toMatchObject({ price: 1 })
  expect(await agent.call('balances', { chainId: network, user, tokens: [weth(), usdc()].join(',') })).toHaveLength(2)
  const usdPrice = () => agent.request('usd_price', { chainId: network, token: usdc() })
  await expect.poll(async () => (await usdPrice()).isError, { timeout: 60_000 }).not.toBe(true)
  agent.called.add('usd_price')
  const body = { sellToken: weth(), buyToken: usdc(), from: user, ...sell }
  expect(await agent.call('quote', { network, body })).toMatchObject({ verified: true })
  const uid = await trade(sell)
  expect(await agent.call('explain_order', { network, uid })).toMatchObject({ orderUid: uid })
  expect(await agent.call('receipt', { network, uid })).toMatchObject({ receipt: { fills: [{ fees: {} }] } })
  expect([...agent.called].sort()).toEqual(Object.keys(mcpTools).sort())
})

test('a receipt that another key signed than the known one is found', async () => {
  const base = `${stack.info.baseUrl}/${network}`
  const uid = await trade(sell)
  const stranger = privateKeyToAccount(key()).address.toLowerCase()
  const { differences } = await checkReceipt(base, uid, stack.info.rpcUrl, stranger)
  expect(differences).toEqual([expect.stringMatching(/^signer: /)])
})

/** Intents: `LONG=1` has a hundred, `INTENTS_SEED` others. */
const intents = process.env.LONG ? 100 : 8
/** An auction is cut at most once a block. */
const maxAuctionsToFill = 5
/** whole tokens of one ether's value, and decimals */
const worth = { WETH: [1, 18], USDC: [3_000, 6], DAI: [3_000, 18], COW: [10_000, 18] } as const
type TokenName = keyof typeof worth

test('an agent with random intents finds no order fillable that five auctions leave, and has only receivers of its own', async () => {
  const seed = Number(process.env.INTENTS_SEED ?? 1)
  const { between, chance, pick } = createDice(seed, 'agent')
  const owners = {
    ready: await createTrader(stack),
    unapproved: stack.info.accounts[2],
    poor: await createTokenlessAccount(stack),
  }
  const names = Object.keys(worth) as TokenName[]
  const atoms = (name: TokenName, exponent: number): bigint => {
    const [perEther, decimals] = worth[name]
    const whole = (between(1, 9) * perEther * 10 ** exponent).toFixed(decimals)
    return parseUnits(whole, decimals) || 1n
  }
  const tally: Record<string, number> = {}
  const late: object[] = []
  const count = (what: string) => {
    tally[what] = (tally[what] ?? 0) + 1
  }

  type DryRun = { fillable: boolean; checks: { status: string }[] }
  const runIntent = async (): Promise<void> => {
    const sell = pick(names)
    const buy = pick(names.filter((name) => name !== sell))
    const owner = owners[pick(['ready', 'ready', 'ready', 'ready', 'unapproved', 'poor'] as const)]
    if (!owner) throw new Error('the stack has too few accounts')
    const exponent = between(-7, 2)
    const amount = chance(0.6)
      ? { kind: 'sell', sellAmountBeforeFee: atoms(sell, exponent).toString() }
      : { kind: 'buy', buyAmountAfterFee: atoms(buy, exponent).toString() }
    const body = {
      ...{ sellToken: findToken(stack.info, sell).address, buyToken: findToken(stack.info, buy).address },
      ...{ from: owner.address, receiver: pick([owner.address, receiver()]), ...amount },
    }
    const quote = await agent.request('quote', { network, body })
    if (quote.isError) {
      const refusal: unknown = JSON.parse(quote.content[0]?.text ?? '')
      expect(refusal).toMatchObject({ errorType: expect.any(String), class: expect.any(String) })
      return count(`refused: ${(refusal as { errorType: string }).errorType}`)
    }
    const built = await agent.build(body)
    // the limit of the quote, or one nearer to the market or beyond it, per mille
    const better = BigInt(pick([0, 0, 0, 3, 20, 500]))
    const { sellAmount, buyAmount } = built.place.body as { sellAmount: string; buyAmount: string }
    const changes: Record<string, string> =
      amount.kind === 'sell'
        ? { buyAmount: String((BigInt(buyAmount) * (1_000n + better)) / 1_000n) }
        : { sellAmount: String((BigInt(sellAmount) * 1_000n) / (1_000n + better) || 1n) }
    const order = { ...built.place.body, ...changes, signature: await agent.sign(owner.privateKey, built, changes) }
    const { fillable, checks } = (await agent.call('dry_run', { network, body: order })) as DryRun
    const failed = checks.filter(({ status }) => status === 'fail')
    expect({ fillable, hasReason: failed.length > 0 }).toEqual({ fillable, hasReason: !fillable })
    if (!fillable) return count('not fillable')
    const placed = await agent.place(built, order)
    const response: unknown = await placed.json()
    expect({ order, status: placed.status, response }).toMatchObject({ status: 201 })
    const uid = response as Hex
    await agent.follow(uid)
    const { receipt } = (await agent.call('receipt', { network, uid })) as { receipt: { receiver: string } }
    expect(await agent.call('explain_order', { network, uid })).toMatchObject({ diagnosis: { code: 'fulfilled' } })
    const auctions = await countAuctionsToFill(stack.info, uid)
    expect(receipt.receiver).toBe(body.receiver)
    if (auctions > maxAuctionsToFill) late.push({ uid, auctions, order, checks })
    count(`filled after ${auctions} auctions`)
  }

  for (let i = 0; i < intents; i += 1) await runIntent()
  console.log(`seed ${seed}: ${JSON.stringify(tally)}`)
  expect(late).toEqual([])
  expect(Object.keys(tally).some((what) => what.startsWith('filled'))).toBe(true)
}, 900_000)

/** Receipts, with those of the intents before: `LONG=1` has a hundred. */
const receipts = process.env.LONG ? 100 : 3

test('every number of every receipt is recomputed from the chain, the order and the competition', async () => {
  const partnerFee = { recipient: receiver(), volumeBps: 25 }
  await trade({ ...sell, appData: JSON.stringify({ metadata: { partnerFee } }) })
  await trade({ kind: 'buy', buyAmountAfterFee: parseUnits('50', 6).toString() })
  const base = `${stack.info.baseUrl}/${network}`
  const findFilled = async (): Promise<Set<string>> => {
    const response = await fetch(`${base}/api/v1/explorer/trades?limit=100`)
    return new Set(((await response.json()) as { orderUid: string }[]).map(({ orderUid }) => orderUid))
  }
  while ((await findFilled()).size < receipts) await trade(sell)
  const signer = privateKeyToAddress(receiptKey).toLowerCase()
  for (const orderUid of await findFilled()) {
    const { receipt, differences } = await checkReceipt(base, orderUid, stack.info.rpcUrl, signer)
    expect({ orderUid, fills: receipt.fills.length, differences }).toMatchObject({ orderUid, differences: [] })
  }
}, 900_000)

test('a refusal tells an agent what to do', async () => {
  const { isError, content } = await agent.request('explain_order', { network, uid: `0x${'12'.repeat(56)}` })
  expect(isError).toBe(true)
  expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ errorType: 'NotFound', class: 'fix' })
})
