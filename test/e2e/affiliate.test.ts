import { type Address, encodeFunctionData, erc20Abi, type Hex, keccak256, parseEther, stringToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { selectPriceSamples } from '#schema/queries/markets/priceSamples.ts'
import { networks } from '#shared/networks.ts'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { buildEthFlowOrder, createEthFlowOrder, uidOfEthFlow } from '../helpers/chain/ethFlow.ts'
import { signAffiliateCode } from '../helpers/orders/signAffiliateCode.ts'
import { signOrder } from '../helpers/orders/signOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

const { chainId, wrappedNative } = networks.sepolia
const documentOf = (code: string) => JSON.stringify({ version: '1.15.0', metadata: { referrer: { code } } })

let stack: SharedStack
let trader: DevAccount
let etherTrader: DevAccount
const affiliate = privateKeyToAccount(generatePrivateKey())

beforeAll(async () => {
  stack = await useSharedStack()
  ;[trader, etherTrader] = stack.info.accounts as [DevAccount, DevAccount]
})
afterAll(() => stack?.stop())

const usdc = () => stack.info.tokens.USDC?.address as Address
const sendRequest = async (path: string, init?: RequestInit) => {
  const response = await fetch(`${stack.info.baseUrl}${path}`, init)
  return { status: response.status, body: (await response.json()) as never }
}
const send = (path: string, body: unknown, method = 'POST') =>
  sendRequest(path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
const register = (walletAddress: Address, code: string, signedMessage: Hex) =>
  send(`/affiliate/${walletAddress}`, { walletAddress, code, signedMessage })
const waitForFill = (uid: Hex) =>
  waitUntil(
    `order ${uid} filled`,
    async () => {
      const { body } = await sendRequest(`/${stack.info.network}/api/v1/orders/${uid}`)
      return (body as { status?: string }).status === 'fulfilled'
    },
    { timeoutMs: patienceMs, intervalMs: 500 },
  )

describe('statistics', () => {
  type Row = { usd_value: number }
  const readRow = async (of: Address) => {
    const { body } = await sendRequest(`/affiliate/trader-activity/${of}`)
    const [row] = (body as { rows: Row[] }).rows
    if (!row) throw new Error('no activity')
    return row
  }
  const half = parseEther('0.5')
  let prices: number[]

  beforeAll(async () => {
    const registered = await register(affiliate.address, 'FRIENDS', await signAffiliateCode(affiliate, 'FRIENDS'))
    expect(registered.status).toBe(201)
    const database = connectDatabase(stack.info.databaseUrl)
    await waitUntil(
      'a price of ether',
      async () => {
        const samples = await selectPriceSamples(database, chainId, [wrappedNative], 0)
        prices = samples.map(({ price }) => price)
        return prices.length > 0
      },
      { timeoutMs: patienceMs, intervalMs: 1_000 },
    )
  })

  test('a trade with a code has its value, and without protocol fees no rewards', async () => {
    const approve = { abi: erc20Abi, functionName: 'approve' } as const
    await sendFrom(stack.chain, trader.address, {
      to: wrappedNative,
      data: encodeFunctionData({ ...approve, args: [stack.info.contracts.vaultRelayer as Address, half] }),
    })
    const order = await signOrder(stack.info, trader.privateKey, {
      sellToken: wrappedNative,
      buyToken: usdc(),
      sellAmount: half,
      buyAmount: 1n,
      appData: documentOf('friends'),
    })
    const { status, body: uid } = await send(`/${stack.info.network}/api/v1/orders`, order)
    expect(status).toBe(201)
    await waitForFill(uid)

    const row = await readRow(trader.address)
    expect(row).toMatchObject({
      chain_id: chainId,
      order_uid: uid,
      trader_address: trader.address.toLowerCase(),
      sell_token_symbol: 'WETH',
      buy_token_symbol: 'USDC',
      executed_sell_amount: '0.5',
      executed_buy_amount: expect.stringMatching(/^\d+\.\d{1,6}$/),
      eligible_volume_usd: 0,
      referrer_code: 'FRIENDS',
      bound_referrer_code: 'FRIENDS',
      eligibility_reason: 'no_protocol_fee',
      is_bound_to_code: true,
      is_eligible: false,
    })
    expect(row.usd_value / ((prices[0] ?? 0) / 2)).toBeCloseTo(1, 1)

    const earned = { trigger_volume: 100, total_earned: 0, paid_out: 0, next_payout: 0 }
    expect((await sendRequest(`/affiliate/trader-stats/${trader.address}`)).body).toMatchObject({
      ...earned,
      bound_referrer_code: 'FRIENDS',
      eligible_volume: 0,
      left_to_next_rewards: 100,
    })
    expect((await sendRequest(`/affiliate/affiliate-stats/${affiliate.address}`)).body).toMatchObject({
      ...earned,
      referrer_code: 'FRIENDS',
      total_volume: 0,
      left_to_next_reward: 100,
    })
  })

  test('lists a trade placed by a contract for its user', async () => {
    const document = documentOf('FRIENDS')
    const appData = keccak256(stringToHex(document))
    const stored = await send(`/${stack.info.network}/api/v1/app_data/${appData}`, { fullAppData: document }, 'PUT')
    expect(stored.status).toBe(201)
    const order = buildEthFlowOrder({
      buyToken: usdc(),
      receiver: etherTrader.address,
      sellAmount: half,
      appData,
      validTo: Math.floor(Date.now() / 1_000) + 3_600,
    })
    await createEthFlowOrder(stack.chain, etherTrader.address, order)
    await waitForFill(uidOfEthFlow(order))
    expect(await readRow(etherTrader.address)).toMatchObject({
      executed_sell_amount: '0.5',
      eligibility_reason: 'no_protocol_fee',
      trader_address: etherTrader.address.toLowerCase(),
    })
  })
})
