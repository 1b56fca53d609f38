import { type Hex, parseEther } from 'viem'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import { findToken } from '../stack/findToken.ts'

/** Sells some WETH for USDC at a quote. @returns the UID once the order is filled */
export const fillSwap = async (stack: StackInfo, privateKey: Hex, amount = '0.01'): Promise<Hex> => {
  const trader = connectTrader(stack, privateKey)
  const [sellToken, buyToken] = [findToken(stack, 'WETH'), findToken(stack, 'USDC')]
  const uid = await postSwap(trader, { kind: 'sell', sellToken, buyToken, amount: parseEther(amount) })
  await waitForStatus(trader, uid, 'fulfilled')
  return uid as Hex
}
