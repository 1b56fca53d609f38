import { type Address, concatHex, encodeAbiParameters, encodeFunctionData, type Hex, size, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectChain } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import { composableCowAbi } from '#shared/strategies/composableCowAbi.ts'
import { hashParams } from '#shared/strategies/hashParams.ts'
import { encodeTwap } from '#shared/strategies/twap.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { createConditionalOrder, deployStrategySafe, findHandler } from '#test/helpers/chain/strategySafe.ts'
import { encodeGoodAfterTime } from '#test/helpers/orders/staticInputs.ts'
import { deployComposableCow } from '#tools/stack/chain/contracts/deployComposableCow.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { postConditionalDryRun } from './postConditionalDryRun.ts'

const network = networks.sepolia
const salt: Hex = `0x${'5a'.repeat(32)}`
/** runs until its gas is used up: JUMPDEST, PUSH1 0, JUMP */
const burning: Address = `0x${'b1'.repeat(20)}`
const withoutCode: Address = `0x${'c0'.repeat(20)}`

let chain: SettlementChain

beforeAll(async () => {
  chain = await startSettlementChain()
  await deployComposableCow(chain.chain)
  await chain.chain.setCode({ address: burning, bytecode: '0x5b600056' })
})
afterAll(() => chain?.stop())

const app = (composableCow = network.composableCow) =>
  postConditionalDryRun({
    chain: connectChain(chain.rpcUrl, network.chainId),
    network: { ...network, composableCow },
    unsupportedTokens: new Set([chain.tokens.USDC.address]),
  })
const post = async (body: object, composableCow?: Address) => {
  const response = await app(composableCow).request('/api/v1/conditional_orders/dry_run', {
    ...{ method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
  })
  return { status: response.status, body: (await response.json()) as { outcome: { reason: string; part: object } } }
}
const now = async () => Number((await chain.chain.getBlock()).timestamp)
const twap = (changes: Partial<Parameters<typeof encodeTwap>[0]> = {}) => ({
  owner: chain.owner,
  ...{ handler: findHandler('Twap'), salt },
  staticInput: encodeTwap({
    ...{ sellToken: chain.tokens.DAI.address, buyToken: chain.tokens.COW.address, receiver: chain.owner },
    ...{ partSellAmount: 1_000n, minPartLimit: 900n, t0: 0n, n: 4n, t: 100n, span: 0n, appData: zeroHash },
    ...changes,
  }),
})
const outcomeOf = async (body: object) => {
  const found = await post(body)
  expect(found.status).toBe(200)
  return found.body.outcome
}

test('a TWAP that starts when it is mined has its first part in the newest block', async () => {
  const body = twap()
  const { blockNumber, seconds } = { blockNumber: Number(await chain.client.getBlockNumber()), seconds: await now() }
  expect(await post(body)).toEqual({
    status: 200,
    body: {
      ...{ hash: hashParams(body), type: 'twap', parts: 4 },
      outcome: {
        ...{ blockNumber, reason: 'partPlaced', message: null, next: null },
        part: {
          ...{ sellToken: chain.tokens.DAI.address.toLowerCase(), buyToken: chain.tokens.COW.address.toLowerCase() },
          ...{ receiver: chain.owner.toLowerCase(), sellAmount: '1000', buyAmount: '900', validTo: seconds + 99 },
          ...{ appData: zeroHash, feeAmount: '0', kind: 'sell', partiallyFillable: false },
          ...{ sellTokenBalance: 'erc20', buyTokenBalance: 'erc20' },
        },
      },
    },
  })
})

test('the outcome is that of the registry once the owner has authorised it, and as large an input fits', async () => {
  const safe = await deployStrategySafe(chain.chain, devAccounts[6])
  const base = { ...twap({ t0: BigInt(await now()) }), owner: safe.address }
  const evaluate = async (padding: number) => {
    const body = { ...base, staticInput: concatHex([base.staticInput, `0x${'00'.repeat(padding)}`]) }
    await createConditionalOrder(safe, body)
    const data = encodeFunctionData({
      abi: composableCowAbi,
      functionName: 'getTradeableOrderWithSignature',
      args: [safe.address, body, '0x', []],
    })
    const { data: returned = '0x' } = await chain.client.call({ to: network.composableCow, data })
    return { bytes: size(returned), outcome: await outcomeOf(body) }
  }
  const most = await evaluate(2_400)
  expect(most.bytes).toBeLessThanOrEqual(4_096)
  expect(most.outcome).toMatchObject({ reason: 'partPlaced' })
  const over = await evaluate(2_432)
  expect(over.bytes).toBeGreaterThan(4_096)
  expect(over.outcome).toMatchObject({ reason: 'failed', message: 'malformed or too large an order' })
})

test('without a part the outcome has the reason of an evaluation, with its block or time', async () => {
  const seconds = await now()
  const t0 = seconds + 1_000
  expect(await outcomeOf(twap({ t0: BigInt(t0) }))).toMatchObject({
    ...{ reason: 'notYet', message: 'before twap start', part: null },
    next: { time: new Date(t0 * 1_000).toISOString() },
  })
  expect(await outcomeOf(twap({ t0: BigInt(seconds - 1_000) }))).toMatchObject({
    ...{ reason: 'finished', message: 'after twap finish', next: null, part: null },
  })
  expect(await outcomeOf(twap({ n: 1n }))).toMatchObject({ reason: 'notValid', message: 'invalid num parts' })
  expect(await outcomeOf(twap({ buyToken: chain.tokens.USDC.address }))).toMatchObject({
    ...{ reason: 'partRefused', message: 'a token that is not supported' },
  })
})

test('a handler that burns its gas or has no code only fails its own dry run', async () => {
  expect(await outcomeOf({ ...twap(), handler: burning })).toMatchObject({ reason: 'exhausted' })
  expect(await outcomeOf({ ...twap(), handler: withoutCode })).toMatchObject({
    ...{ reason: 'failed', message: 'its handler has no code' },
  })
})

test('good after time takes its buy amount with the request', async () => {
  const seconds = BigInt(await now())
  const body = {
    ...{ owner: chain.owner, handler: findHandler('GoodAfterTime'), salt },
    staticInput: encodeGoodAfterTime({
      ...{ sellToken: chain.tokens.DAI.address, buyToken: chain.tokens.COW.address, receiver: chain.owner },
      ...{ sellAmount: 1_000n, minSellBalance: 0n, startTime: seconds, endTime: seconds + 1_000n },
      ...{ allowPartialFill: false, priceCheckerPayload: '0x', appData: zeroHash },
    }),
  }
  expect(await outcomeOf(body)).toMatchObject({ reason: 'failed', message: 'it takes its buy amount as offchainInput' })
  const offchainInput = encodeAbiParameters([{ type: 'uint256' }], [700n])
  expect(await outcomeOf({ ...body, offchainInput })).toMatchObject({
    reason: 'partPlaced',
    part: { buyAmount: '700' },
  })
})

test('an error names its field, and a network without a registry has no dry run', async () => {
  const tooLarge = await post({ ...twap(), staticInput: `0x${'00'.repeat(8_193)}` })
  expect(tooLarge).toMatchObject({
    ...{ status: 400, body: { errorType: 'InvalidParameter', description: 'staticInput: at most 8192 bytes' } },
  })
  expect(await post(twap(), `0x${'00'.repeat(20)}`)).toMatchObject({ status: 404, body: { errorType: 'NotFound' } })
})
