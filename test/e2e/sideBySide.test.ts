import { type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

let stacks: Stack[]

beforeAll(async () => {
  stacks = await Promise.all([startTestStack(), startTestStack()])
})

afterAll(() => Promise.all((stacks ?? []).map((stack) => stack.stop())))

test('two stacks run side by side without sharing any state', async () => {
  const uids = await Promise.all(
    stacks.map(async ({ info }) => {
      const trader = connectTrader(info, info.accounts[0]?.privateKey as Hex)
      const [sellToken, buyToken] = [info.tokens.WETH, info.tokens.USDC]
      if (!sellToken || !buyToken) throw new Error('tokens missing')
      await trader.approveRelayer(sellToken.address)
      const uid = await postSwap(trader, { kind: 'sell', sellToken, buyToken, amount: parseUnits('0.1', 18) })
      await waitForStatus(trader, uid, 'fulfilled')
      return uid
    }),
  )
  for (const [i, { info }] of stacks.entries()) {
    const owner = info.accounts[0]?.address
    const response = await fetch(`${info.baseUrl}/${info.network}/api/v1/account/${owner}/orders`)
    const orders = (await response.json()) as { uid: string }[]
    expect(orders.map(({ uid }) => uid)).toEqual([uids[i]])
  }
})
