import { type Address, concatHex, encodeFunctionData, erc20Abi, type Hex, parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nativeSentinel } from '#shared/networks.ts'
import { solverFeatures } from '#shared/solvers/solverList.ts'
import { createPool, deployOddToken, deployTestContract } from '#test/helpers/chain/oddContracts.ts'
import { deploySafe } from '#test/helpers/chain/safe.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { deployHostile, hostileTokenAbi } from '#test/helpers/hostile/hostileContracts.ts'
import { signOrderCreation } from '#test/helpers/orders/signOrderCreation.ts'
import { type SolverMarket, startSolverMarket } from '#test/helpers/solvers/solverMarket.ts'
import { connectQuotingWorkers, type QuotingWorkers } from '#test/helpers/stack/quotingWorkers.ts'
import { readCompiledContract } from '#tools/stack/chain/contracts/readCompiledContract.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import tokens from '../../tokens/index.ts'
import { connectUsdPrice } from '../../tokens/prices/connectUsdPrice.ts'
import { settingsSchema as tokenSettingsSchema } from '../../tokens/settings.ts'
import type { DryRun } from './dryRun.ts'

/** An account without tokens, approvals or ether. */
const pauper: Address = '0x00000000000000000000000000000000000bee5e'

let market: SolverMarket
let database: TestDatabase
/** the reference solver supports all that orders may need, and nothing */
let workers: QuotingWorkers
let plainWorkers: QuotingWorkers
beforeAll(async () => {
  market = await startSolverMarket()
  database = await startTestDatabase()
  workers = connectQuotingWorkers(market, database, { supports: [...solverFeatures] })
  plainWorkers = connectQuotingWorkers(market, database)
})
afterAll(async () => {
  await database?.close()
  await market?.stop()
})

type Quote = {
  verified: boolean
  quote: { sellAmount: string; buyAmount: string; feeAmount: string }
  verification: { status: string; hooks?: object[] }
  amounts: { afterPartnerFee: { sellAmount: string; buyAmount: string } }
  errorType?: string
  data?: object
}

let orders = 0
const soon = (): number => {
  orders += 1
  return Math.floor(Date.now() / 1_000) + 600 + orders
}

/** Sells a WETH for USDC, unless changed. */
const requestQuote = (fields: object = {}) =>
  workers.quotes<Quote>('quote', {
    ...{ sellToken: market.tokens.WETH, buyToken: market.tokens.USDC, from: market.trader },
    ...('kind' in fields ? {} : { kind: 'sell', sellAmountBeforeFee: parseEther('1') }),
    ...fields,
  })

/** Buys a tenth of an ether for DAI. */
const buyEther = (fields: object) =>
  requestQuote({
    ...{ sellToken: market.tokens.DAI, buyToken: nativeSentinel },
    ...{ kind: 'buy', buyAmountAfterFee: parseEther('0.1') },
    ...fields,
  })

type Terms = Omit<Parameters<typeof signOrderCreation>[0], 'validTo'>

/** One WETH for at least a USDC, unless changed. */
const signed = (terms: Terms = {}) =>
  signOrderCreation({
    ...{ sellToken: market.tokens.WETH, buyToken: market.tokens.USDC, validTo: soon() },
    ...{ sellAmount: parseEther('1').toString(), buyAmount: '1000000' },
    ...terms,
  })

const simulate = async (order: object, through = workers) =>
  (await through.debug<DryRun>('orders/simulate', order)).body
const checkOf = ({ checks }: DryRun, name: string) => checks.find(({ check }) => check === name)
const place = (order: object, through = workers) => through.orders<{ errorType: string; data: object }>('orders', order)

const deploy = async (name: 'FeeToken'): Promise<Address> => {
  const { abi, creationCode } = readCompiledContract(name)
  const hash = await market.chain.deployContract({ abi, bytecode: creationCode, account: devAccounts[7].address })
  const { contractAddress } = await waitForReceipt(market.chain, hash)
  return contractAddress?.toLowerCase() as Address
}
const approve = (from: Address, token: Address, amount: bigint) =>
  sendFrom(market.chain, from, {
    to: token,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [market.network.vaultRelayer, amount],
    }),
  })

describe('a partially fillable order', () => {
  test('of more than its owner has is fillable now for what the owner has', async () => {
    const { body } = await requestQuote()
    const balance = await market.balanceOf(market.tokens.WETH, market.trader)
    const one = BigInt(body.amounts.afterPartnerFee.buyAmount)
    // a tenth below the market of one, so that the pool gives it for a hundred
    const [sellAmount, buyAmount] = [10n * balance, (10n * balance * one * 8n) / 10n ** 19n]
    const terms = { sellAmount: String(sellAmount), buyAmount: String(buyAmount) }
    const part = await simulate(await signed({ ...terms, partiallyFillable: true }))
    expect(part).toMatchObject({ fillable: true, fillableNow: { sellAmount: String(balance) } })
    expect(BigInt(part.fillableNow?.buyAmount ?? 0) * sellAmount).toBeGreaterThanOrEqual(buyAmount * balance)
    const whole = await simulate(await signed({ ...terms, partiallyFillable: false }))
    expect(whole).toMatchObject({ fillable: false, fillableNow: { sellAmount: '0', buyAmount: '0' } })
    expect(checkOf(whole, 'balance')).toMatchObject({ status: 'fail', reason: 'InsufficientBalance' })
  })

  test('that the pools do not take as a whole is fillable now in part', async () => {
    const sell = async (ether: string) => {
      const { body } = await requestQuote({ sellAmountBeforeFee: parseEther(ether), slippageBps: 0 })
      return (BigInt(body.amounts.afterPartnerFee.buyAmount) * 10n ** 18n) / parseEther(ether)
    }
    const [small, large] = [await sell('1'), await sell('60')]
    expect(large).toBeLessThan(small)
    const order = {
      sellAmount: parseEther('60').toString(),
      buyAmount: ((60n * (small + large)) / 2n).toString(),
    }
    const part = await simulate(await signed({ ...order, partiallyFillable: true }))
    expect(part.checks.filter(({ status }) => status === 'fail')).toEqual([])
    expect(BigInt(part.fillableNow?.sellAmount ?? 0)).toBeGreaterThan(0n)
    expect(BigInt(part.fillableNow?.sellAmount ?? 0)).toBeLessThan(parseEther('60'))
    const whole = await simulate(await signed({ ...order, partiallyFillable: false }))
    expect([whole.fillable, checkOf(whole, 'price')?.reason]).toEqual([false, 'OutOfMarket'])
  })
})

describe('a payout that fails', () => {
  const expectRefusal = async (receiver: Address, buyToken: Address, revert: string) => {
    const order = await signed({ sellToken: market.tokens.DAI, receiver, buyToken, buyAmount: '1000' })
    const dryRun = await simulate(order)
    expect(dryRun.fillable).toBe(false)
    expect(checkOf(dryRun, 'payout')).toMatchObject({
      ...{ status: 'fail', reason: 'TransferSimulationFailed' },
      evidence: { token: buyToken, receiver: receiver.toLowerCase(), revert },
    })
    expect(await requestQuote({ sellToken: market.tokens.DAI, receiver, buyToken })).toMatchObject({
      status: 400,
      body: { errorType: 'TransferSimulationFailed', data: { field: 'buyToken', revert } },
    })
    expect(await place(order)).toMatchObject({ status: 400, body: { errorType: 'TransferSimulationFailed' } })
  }

  test('because the receiver refuses ether is named with its revert, and is no missing liquidity', async () => {
    const refusing = await deployTestContract(market.chain, 'PickyWallet', [zeroAddress, false, true])
    await expectRefusal(refusing, nativeSentinel, 'no ether')
  })

  test('because the token blocks the receiver is named with its revert', async () => {
    const odd = await deployOddToken(market.chain)
    await odd.set('setBlocked', pauper, true)
    await expectRefusal(pauper, odd.address, 'blocked')
  })

  test('because the token is paused is named with its revert', async () => {
    const odd = await deployOddToken(market.chain)
    const order = await signed({ buyToken: odd.address, buyAmount: '1000' })
    expect(checkOf(await simulate(order), 'payout')?.status).toBe('pass')
    await odd.set('setPaused', true)
    const fresh = connectQuotingWorkers(market, database)
    const { fillable, checks } = await simulate(order, fresh)
    expect(fillable).toBe(false)
    expect(checks.filter(({ status }) => status === 'fail')).toMatchObject([
      { check: 'payout', reason: 'TransferSimulationFailed', evidence: { revert: 'paused' } },
    ])
    const { status, body } = await fresh.quotes<Quote>('quote', {
      ...{ sellToken: market.tokens.WETH, buyToken: odd.address, from: market.trader },
      ...{ kind: 'sell', sellAmountBeforeFee: parseEther('1') },
    })
    expect({ status, body }).toMatchObject({
      ...{ status: 400 },
      body: { errorType: 'TransferSimulationFailed', data: { field: 'buyToken', revert: 'paused', retryable: false } },
    })
  })
})

test.each([
  ['a required wrapper', { wrappers: [{ address: pauper, data: '0x' }] }, '0', 'wrappers', 'InvalidAppData'],
  ['a signed fee', {}, '1', 'signedFees', 'NonZeroFee'],
])('%s that no solver supports is named by dry run and placement', async (_, metadata, fee, feature, errorType) => {
  const order = await signed({ appData: JSON.stringify({ metadata }), feeAmount: fee })
  const dryRun = await simulate(order, plainWorkers)
  expect(dryRun.fillable).toBe(false)
  expect(checkOf(dryRun, 'solvers')).toMatchObject({
    ...{ status: 'fail', reason: 'UnsupportedBySolvers' },
    evidence: { required: [feature] },
  })
  expect(checkOf(await simulate(order), 'solvers')?.status).toBe('pass')
  expect(await place(order, plainWorkers)).toMatchObject({ status: 400, body: { errorType } })
})

describe('a quote that buys ether is verified', () => {
  test('for a Safe, a minimal proxy and other proxies', async () => {
    const wallet = await deployTestContract(market.chain, 'PickyWallet', [zeroAddress, false, false])
    const safe = await deploySafe(market.chain, devAccounts[3])
    const other = await deployTestContract(market.chain, 'OtherProxy', [wallet])
    // EIP-1167
    const minimal: Address = '0x0000000000000000000000000000000000001167'
    const bytecode: Hex = concatHex(['0x363d3d373d3d3d363d73', wallet, '0x5af43d82803e903d91602b57fd5bf3'])
    await market.chain.setCode({ address: minimal, bytecode })
    for (const owner of [safe.address, minimal, other]) {
      const { status, body } = await buyEther({ from: owner, signingScheme: 'eip1271' })
      expect({ status, body }).toMatchObject({ status: 200, body: { verified: true } })
      expect(await buyEther({ receiver: owner })).toMatchObject({ status: 200, body: { verified: true } })
      const dryRun = await simulate(await signed({ buyToken: nativeSentinel, receiver: owner, buyAmount: '1000' }))
      expect(checkOf(dryRun, 'payout')).toMatchObject({ status: 'pass', evidence: { receiver: owner } })
    }
  })
})

describe('a sell token', () => {
  const sell = (sellToken: Address, from: Address, through = workers) =>
    through.quotes<Quote>('quote', {
      ...{ sellToken, buyToken: market.tokens.WETH, from },
      ...{ kind: 'sell', sellAmountBeforeFee: parseEther('100') },
    })
  const verified = { status: 200, body: { verified: true } }

  test('that must be approved from zero is quoted for an owner with a remaining approval of one atom', async () => {
    const odd = await deployOddToken(market.chain)
    await odd.give(market.trader, parseEther('100'))
    await odd.set('setNeedsReset', true)
    await approve(market.trader, odd.address, 1n)
    expect(await sell(odd.address, market.trader)).toMatchObject(verified)
    await odd.set('setNeedsReset', false)
    await odd.set('setRefusesNothing', true)
    expect(await sell(odd.address, market.trader)).toMatchObject(verified)
  })

  test('whose balances stand in the high bits of a namespace of its own is quoted to wallets without any', async () => {
    const odd = await deployOddToken(market.chain)
    expect(await sell(odd.address, pauper)).toMatchObject(verified)
    expect(await sell(odd.address, zeroAddress)).toMatchObject(verified)
  })

  test('whose transfers from its pool are taxed is unsupported, for quotes and orders', async () => {
    const odd = await deployOddToken(market.chain)
    await odd.set('setTaxed', odd.pool)
    const unsupported = { status: 400, body: { errorType: 'UnsupportedToken' } }
    expect(await sell(odd.address, market.trader)).toMatchObject(unsupported)
    expect(await requestQuote({ buyToken: odd.address })).toMatchObject(unsupported)
    await odd.give(market.trader, parseEther('100'))
    await approve(market.trader, odd.address, parseEther('100'))
    const terms = { sellAmount: parseEther('100').toString(), buyAmount: '1000' }
    const order = await signed({ ...terms, sellToken: odd.address, buyToken: market.tokens.WETH })
    expect(checkOf(await simulate(order), 'tokens')).toMatchObject({ status: 'fail', reason: 'UnsupportedToken' })
    expect(await place(order)).toMatchObject(unsupported)
  })

  test('that takes a fee on every transfer is unsupported', async () => {
    const token = await deploy('FeeToken')
    expect(await sell(token, devAccounts[7].address)).toMatchObject({
      status: 400,
      body: { errorType: 'UnsupportedToken' },
    })
  })
})

test('quote, dry run and the amounts of both name what becomes of each hook', async () => {
  const [ran, reverts]: [Address, Address] = [
    '0x0000000000000000000000000000000000000b0b',
    '0x0000000000000000000000000000000000000b0c',
  ]
  await market.chain.setCode({ address: ran, bytecode: '0x6001600055' })
  await market.chain.setCode({ address: reverts, bytecode: '0x60006000fd' })
  const toHook = (target: Address) => ({ target, callData: '0x12345678', gasLimit: '50000' })
  const metadata = { hooks: { pre: [toHook(ran)], post: [toHook(reverts), toHook(pauper)] } }
  const appData = JSON.stringify({ version: '1.3.0', metadata })
  const outcomes = [
    { phase: 'pre', hook: 0, target: ran, outcome: 'succeeded' },
    { phase: 'post', hook: 0, target: reverts, outcome: 'reverted' },
    { phase: 'post', hook: 1, target: pauper, outcome: 'noCode' },
  ]
  expect(await requestQuote({ appData })).toMatchObject({
    status: 200,
    body: { verified: true, verification: { hooks: outcomes } },
  })
  const dryRun = await simulate(await signed({ appData }))
  expect(dryRun.fillable).toBe(true)
  expect(checkOf(dryRun, 'hooks')).toMatchObject({
    ...{ status: 'skipped', reason: 'HookReverts' },
    evidence: { hook: 0, target: reverts, outcomes },
  })
  expect((await requestQuote()).body.verification.hooks).toBeUndefined()
})

test('a token that rebases has the same price in dollars as in the native token', async () => {
  const provider = devAccounts[7].address
  const token = await deployHostile(market.chain, provider, 'HostileToken')
  await createPool(market.chain, token)
  const rebase = encodeFunctionData({ abi: hostileTokenAbi, functionName: 'setScale', args: [97n] })
  await sendFrom(market.chain, provider, { to: token, data: rebase })
  const toPath = (url: string) => new URL(url).pathname.replace('/api/v1/', '')
  const QUOTES_SEPOLIA = {
    fetch: async ({ url }: Request) => {
      const { status, body } = await workers.quotes<object>(toPath(url))
      return Response.json(body, { status })
    },
  }
  const env = { RPC_URLS: JSON.stringify({ sepolia: market.rpcUrl }), HOLDERS: {}, QUOTES_SEPOLIA }
  const settings = tokenSettingsSchema.parse({ ...env, PRICES: {} })
  const PRICES = {
    getByName: (name: string) => ({
      findPrice: connectUsdPrice(settings, 'sepolia', name.slice('sepolia:'.length) as Address),
    }),
  }
  const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
  const findPrices = async (address: Address, decimals: number) => {
    const native = await workers.quotes<{ price: number }>(`token/${address}/native_price`)
    const request = new Request(`http://tokens/11155111/tokens/${address}/usdPrice`)
    const usd = await tokens.fetch(request, { ...env, PRICES }, context)
    expect([native.status, usd.status]).toEqual([200, 200])
    return (native.body.price * 10 ** decimals) / ((await usd.json()) as { price: number }).price
  }
  expect(await findPrices(token, 18)).toBeCloseTo(await findPrices(market.tokens.USDC, 6), -6)
})

test('a hook that brings the funds in every second block only lets no order settle, whichever block it is tried in', async () => {
  const { WETH } = market.tokens
  const target: Address = '0x0000000000000000000000000000000000000b0d'
  const callWeth = concatHex(['0x365f5f375f5f365f5f73', WETH, '0x5af100'])
  const transfer = (to: Address, amount: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  await sendFrom(market.chain, market.trader, { to: WETH, data: transfer(target, 1_000n) })
  const balance = await market.balanceOf(WETH, market.trader)
  const hook = { target, callData: transfer(market.trader, 1_000n), gasLimit: '100000' }
  const appData = JSON.stringify({ metadata: { hooks: { pre: [hook] } } })
  const order = await signed({ sellAmount: String(balance + 1_000n), buyAmount: '1000000', appData })
  const tryHook = async (bytecode: Hex) => {
    await market.chain.setCode({ address: target, bytecode })
    const dryRun = await simulate(order)
    return { fillable: dryRun.fillable, ...checkOf(dryRun, 'hooks') }
  }
  expect(await tryHook(callWeth)).toMatchObject({ fillable: true, status: 'pass' })
  for (let i = 0; i < 2; i += 1) {
    await market.chain.mine({ blocks: 1 })
    // reverts where the number of the block is odd
    const found = await tryHook(concatHex(['0x43600116602857', callWeth, '0x5b5f5ffd']))
    expect(found).toMatchObject({
      fillable: false,
      status: 'fail',
      reason: 'HookReverts',
      evidence: { hook: 0, target },
    })
  }
})

test('a wallet and a receiver that agree in every second block only let no order settle, whichever block it is', async () => {
  const wallet: Address = '0x0000000000000000000000000000000000000b0e'
  const receiver: Address = '0x0000000000000000000000000000000000000b0f'
  // both revert where the number of the block is odd; the wallet returns the magic value of EIP-1271 in the others
  const magic: Hex = `0x7f1626ba7e${'0'.repeat(56)}5f5260205ff3`
  await market.chain.setCode({ address: wallet, bytecode: concatHex(['0x43600116602e57', magic, '0x5b5f5ffd']) })
  await market.chain.setCode({ address: receiver, bytecode: '0x43600116600857005b5f5ffd' })
  const order = { ...(await signed({ receiver, buyToken: nativeSentinel, buyAmount: '1000000' })), from: wallet }
  const found: unknown[] = []
  for (let i = 0; i < 2; i += 1) {
    await market.chain.mine({ blocks: 1 })
    const dryRun = await simulate({ ...order, signingScheme: 'eip1271', signature: '0x' })
    const [signature, payout] = ['signature', 'payout'].map((name) => checkOf(dryRun, name))
    expect(dryRun.fillable).toBe(false)
    expect(signature).toMatchObject({ status: 'fail', reason: 'InvalidEip1271Signature' })
    expect(payout).toMatchObject({ status: 'fail', reason: 'TransferSimulationFailed' })
    expect(payout?.evidence.block).toBe(signature?.evidence.block)
    found.push(signature?.evidence.block)
  }
  expect(found.map((block) => Number(block) % 2)).toEqual([1, 1])
})
