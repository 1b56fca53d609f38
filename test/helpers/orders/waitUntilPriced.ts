import { type Address, encodeFunctionData, erc20Abi, maxUint256, parseEther } from 'viem'
import { findDebugReport } from '#tools/demo/printTimeline.ts'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { patienceMs } from '../patienceMs.ts'
import { postSignedOrder } from './postSignedOrder.ts'

/**
 * Places an open order for each token, which sells wrapped native tokens far from the market, and waits until the auctions
 * have a price of the token. An auction waits a limited time for a first price, and then logs its orders as filtered.
 * @param owner has wrapped native tokens
 */
export const waitUntilPriced = async (
  { chain, info }: Pick<Stack, 'chain' | 'info'>,
  owner: DevAccount,
  tokens: readonly Address[],
): Promise<void> => {
  const { wrappedNative, vaultRelayer } = info.contracts
  const approve = { abi: erc20Abi, functionName: 'approve', args: [vaultRelayer, maxUint256] } as const
  await sendFrom(chain, owner.address, { to: wrappedNative, data: encodeFunctionData(approve) })
  const amounts = { sellAmount: parseEther('0.01'), buyAmount: parseEther('1000000') }
  const place = (buyToken: Address) =>
    postSignedOrder(info, owner.privateKey, { sellToken: wrappedNative, buyToken, ...amounts })
  for (const uid of await Promise.all(tokens.map(place))) {
    const isPriced = async () =>
      (await findDebugReport(info, uid)).events.some(({ reason }) => reason === 'out_of_market')
    await waitUntil('a price of the bought token', isPriced, { timeoutMs: patienceMs, intervalMs: 250 })
  }
}
