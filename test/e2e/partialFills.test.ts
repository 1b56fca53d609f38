import { type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deployShallowToken } from '../helpers/chain/shallowToken.ts'
import { connectOrderBook, type OrderBook } from '../helpers/console/orderBook.ts'
import { signOrder } from '../helpers/orders/signOrder.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

let stack: SharedStack
let book: OrderBook

beforeAll(async () => {
  stack = await useSharedStack()
  book = connectOrderBook(stack.info)
})

afterAll(() => stack?.stop())

const account = (index: number) => {
  const found = stack.info.accounts[index]
  if (!found) throw new Error(`no account ${index}`)
  return found
}
const weth = () => stack.info.contracts.wrappedNative
const readWeth = async (owner: Hex) =>
  stack.chain.readContract({
    address: weth(),
    abi: [
      {
        type: 'function',
        name: 'balanceOf',
        stateMutability: 'view',
        inputs: [{ name: 'owner', type: 'address' }],
        outputs: [{ name: '', type: 'uint256' }],
      },
    ] as const,
    functionName: 'balanceOf',
    args: [owner],
  })

type Trade = { txHash: string; sellAmount: string; buyAmount: string }
type Competition = {
  auctionId: number
  solutions: { isWinner: boolean; orders: { id: string; sellAmount: string }[] }[]
}

test('a shallow pool fills a part within the limit, and the rest follows when the pool is deeper', async () => {
  const token = await deployShallowToken(stack.chain, 'SHALLOW', '10', '30000')
  const { address: owner, privateKey } = account(0)
  await token.fund(owner, '500')
  await token.fund(owner, '4500')
  const wethBefore = await readWeth(owner)
  // the pool pays 1 / 3,000 for the first atom, and the limit of 1 / 3,300 up to about 1,400 of 5,000 tokens
  const uid = await book.post(
    await signOrder(stack.info, privateKey, {
      sellToken: token.address,
      buyToken: weth(),
      sellAmount: parseEther('5000'),
      buyAmount: (parseEther('5000') * 10n) / 33_000n,
      partiallyFillable: true,
      signingScheme: 'ethsign',
    }),
  )
  const part = await book.waitFor(uid, (order) => order.executedSellAmount !== '0')
  const sold = BigInt(part.executedSellAmount ?? 0)
  const got = BigInt(part.executedBuyAmount ?? 0)
  expect(part.status).toBe('open')
  expect(sold).toBeGreaterThan(parseEther('1300'))
  expect(sold).toBeLessThan(parseEther('1500'))
  expect(got * 33_000n).toBeGreaterThanOrEqual(sold * 10n)
  expect(await token.balanceOf(owner)).toBe(parseEther('5000') - sold)
  expect((await readWeth(owner)) - wethBefore).toBe(got)

  const [trade] = await book.get<Trade[]>(`/v2/trades?orderUid=${uid}`)
  expect(trade).toMatchObject({ sellAmount: String(sold), buyAmount: String(got) })
  const competition = await book.get<Competition>(`/v2/solver_competition/by_tx_hash/${trade?.txHash}`)
  expect(competition.solutions.at(-1)).toMatchObject({
    isWinner: true,
    orders: [{ id: uid, sellAmount: String(sold) }],
  })
  expect(await book.get<Competition>('/v2/solver_competition/latest')).toEqual(competition)

  await token.deepen('1000', '3000000')
  const filled = await book.waitFor(uid, ({ status }) => status === 'fulfilled')
  expect(filled.executedSellAmount).toBe(String(parseEther('5000')))
  expect(await token.balanceOf(owner)).toBe(0n)
  expect((await readWeth(owner)) - wethBefore).toBe(BigInt(filled.executedBuyAmount ?? 0))
  const trades = await book.get<Trade[]>(`/v2/trades?orderUid=${uid}`)
  expect(trades.length).toBeGreaterThanOrEqual(2)
  expect(trades.reduce((sum, { sellAmount }) => sum + BigInt(sellAmount), 0n)).toBe(parseEther('5000'))
})

test('an owner with half of the tokens sells that half, and the rest after receiving more', async () => {
  const token = await deployShallowToken(stack.chain, 'HALF', '1000', '3000000')
  const { address: owner, privateKey } = account(1)
  await token.fund(owner, '50')
  const uid = await book.post(
    await signOrder(stack.info, privateKey, {
      sellToken: token.address,
      buyToken: weth(),
      sellAmount: parseEther('100'),
      buyAmount: parseEther('0.03'),
      partiallyFillable: true,
    }),
  )
  const part = await book.waitFor(uid, (order) => order.executedSellAmount !== '0')
  expect(part).toMatchObject({ status: 'open', executedSellAmount: String(parseEther('50')) })
  expect(await token.balanceOf(owner)).toBe(0n)
  await token.fund(owner, '70')
  const filled = await book.waitFor(uid, ({ status }) => status === 'fulfilled')
  expect(filled.executedSellAmount).toBe(String(parseEther('100')))
  expect(await token.balanceOf(owner)).toBe(parseEther('20'))
})
