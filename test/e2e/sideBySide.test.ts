import { type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

let stacks: Pick<SharedStack, 'info' | 'stop'>[]

beforeAll(async () => {
  stacks = await Promise.all([useSharedStack(), startTestStack()])
})

afterAll(() => Promise.all((stacks ?? []).map((stack) => stack.stop())))

test('two stacks run side by side without sharing any state', async () => {
  const placed: { trader: Trader; uid: string }[] = []
  // one after the other: the SDK has one signer per process
  for (const { info } of stacks) {
    const trader = connectTrader(info, info.accounts[0]?.privateKey as Hex)
    const [sellToken, buyToken] = [info.tokens.WETH, info.tokens.USDC]
    if (!sellToken || !buyToken) throw new Error('tokens missing')
    await trader.approveRelayer(sellToken.address)
    const uid = await postSwap(trader, { kind: 'sell', sellToken, buyToken, amount: parseUnits('0.1', 18) })
    placed.push({ trader, uid })
  }
  await Promise.all(placed.map(({ trader, uid }) => waitForStatus(trader, uid, 'fulfilled')))
  for (const [i, { info }] of stacks.entries()) {
    const owner = info.accounts[0]?.address
    const response = await fetch(`${info.baseUrl}/${info.network}/api/v1/account/${owner}/orders`)
    const orders = (await response.json()) as { uid: string }[]
    expect(orders.map(({ uid }) => uid)).toEqual([placed[i]?.uid])
  }
})
