import { type Address, parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectLocalChain, type LocalChain } from '#tools/stack/chain/connectLocalChain.ts'
import { readCompiledContract } from '#tools/stack/chain/contracts/readCompiledContract.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { createPool } from '../helpers/chain/uniswapV2.ts'
import { readEvents } from '../helpers/http/readEvents.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

const provider = devAccounts[7].address

let stack: SharedStack
let chain: LocalChain
beforeAll(async () => {
  stack = await useSharedStack()
  chain = connectLocalChain(stack.info.rpcUrl, stack.info.chainId)
})
afterAll(() => stack?.stop())

const token = (symbol: string) => stack.info.tokens[symbol]?.address ?? zeroAddress
const post = (path: string, fields: object) =>
  fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      sellToken: token('WETH'),
      buyToken: token('USDC'),
      from: zeroAddress,
      kind: 'sell',
      sellAmountBeforeFee: parseEther('0.1').toString(),
      ...fields,
    }),
  })
const send = async (fields: object) => {
  const response = await post('quote', fields)
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return { status: response.status, body: (await response.json()) as any }
}

/** A token of `contracts/` in a pool with the wrapped native token. */
const deployTraded = async (name: string): Promise<Address> => {
  const { creationCode: bytecode } = readCompiledContract(name)
  const hash = await chain.deployContract({ abi: [], bytecode, account: provider })
  const { contractAddress } = await waitForReceipt(chain, hash)
  const address = contractAddress?.toLowerCase() as Address
  await chain.setBalance({ address: provider, value: parseEther('20') })
  await sendFrom(chain, provider, { to: token('WETH'), value: parseEther('5') })
  await createPool(chain, [
    [token('WETH'), parseEther('5')],
    [address, parseEther('5000')],
  ])
  return address
}

test.each([
  ['FeeToken', 'losesInTransfer'],
  ['RebasingToken', 'rebases'],
])('a %s is unsupported on both sides of a quote, also from the cache', async (name, reason) => {
  const bad = await deployTraded(name)
  for (let i = 0; i < 2; i += 1) {
    const sold = await send({ sellToken: bad })
    expect(sold).toMatchObject({
      status: 400,
      body: { errorType: 'UnsupportedToken', data: { field: 'sellToken', token: bad, reason } },
    })
    expect(sold.body.data.sent).not.toBe(sold.body.data.received)
    const bought = await send({ buyToken: bad, priceQuality: 'optimal' })
    expect(bought).toMatchObject({ status: 400, body: { errorType: 'UnsupportedToken', data: { field: 'buyToken' } } })
  }
  expect((await post('quote/stream', { sellToken: bad })).status).toBe(400)
})

test.each(['1', '1000000', '100000000'])(
  '%s atoms are too few, and the error names the smallest amount',
  async (atoms) => {
    const dust = await send({ sellAmountBeforeFee: atoms })
    expect(dust).toMatchObject({ status: 400, body: { errorType: 'SellAmountDoesNotCoverFee' } })
    expect((await send({ sellAmountBeforeFee: dust.body.data.minSellAmount })).status).toBe(200)
    const [event] = await readEvents(await post('quote/stream', { sellAmountBeforeFee: atoms }))
    expect(event).toMatchObject({ name: 'error', data: { errorType: 'SellAmountDoesNotCoverFee' } })
  },
)

test('a quote is found with any timeout, verified, and its gas does not change from block to block', async () => {
  await send({})
  const gas = new Set<string>()
  for (const timeout of [0, 1, 20, 5_000]) {
    // a busy machine may need more than the minimum
    await expect.poll(async () => (await send({ timeout })).status, { timeout: patienceMs }).toBe(200)
    const { body } = await send({})
    expect(body).toMatchObject({ verified: true, verification: { status: 'passed' } })
    gas.add(body.quote.gasAmount)
    await chain.mine({ blocks: 1, interval: 1 })
  }
  expect([...gas]).toHaveLength(1)
})

test('two sizes and two expiries are refused by the names of both fields', async () => {
  const sizes = await send({ buyAmountAfterFee: '1' })
  expect(sizes).toMatchObject({ status: 400, body: { errorType: 'InvalidParameter' } })
  expect(sizes.body.description).toMatch(/buyAmountAfterFee.*sellAmountBeforeFee/)
  const expiries = await send({ validFor: 600, validTo: Math.floor(Date.now() / 1_000) + 600 })
  expect(expiries).toMatchObject({ status: 400, body: { errorType: 'InvalidParameter' } })
  expect(expiries.body.description).toMatch(/validFor.*validTo/)
})

test('partnerFeeBps and slippageBps shape the order to sign', async () => {
  const { body } = await send({ partnerFeeBps: 80, slippageBps: 100 })
  const { afterProtocolFee, afterPartnerFee, afterSlippage } = body.amounts
  expect(Number(afterPartnerFee.buyAmount) / Number(afterProtocolFee.buyAmount)).toBeCloseTo(0.992, 6)
  expect(Number(afterSlippage.buyAmount) / Number(afterPartnerFee.buyAmount)).toBeCloseTo(0.99, 6)
  expect(body.signable.order.buyAmount).toBe(afterSlippage.buyAmount)
})
