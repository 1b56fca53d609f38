import { type Address, encodeFunctionData, erc20Abi, type Hex, parseEther, parseUnits } from 'viem'
import type { LocalChain } from './connectLocalChain.ts'
import type { PoolTokens } from './contracts/createUniswapV2Pools.ts'
import { devAccounts } from './devAccounts.ts'
import { sendFrom } from './sendFrom.ts'
import { waitForReceipt } from './waitForReceipt.ts'

/** Whole tokens per account, beside anvil's ether. */
const amounts = { USDC: '500000', DAI: '500000', COW: '1000000' } as const
const wrappedEther = parseEther('100')

/**
 * Funds each account once. Wrapping ether comes last, as the account's first own transaction: its nonce marks the
 * account as funded.
 */
export const fundAccounts = async (chain: LocalChain, tokens: PoolTokens, accounts: Address[]): Promise<void> => {
  for (const account of accounts) {
    if ((await chain.getTransactionCount({ address: account })) > 0) continue
    const hashes: Hex[] = []
    for (const symbol of ['USDC', 'DAI', 'COW'] as const) {
      const { address: to, decimals } = tokens[symbol]
      const args = [account, parseUnits(amounts[symbol], decimals)] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      hashes.push(await chain.sendTransaction({ account: devAccounts[7].address, to, data }))
    }
    for (const hash of hashes) {
      const { status } = await waitForReceipt(chain, hash)
      if (status !== 'success') throw new Error(`no tokens for ${account}: transaction ${hash} reverted`)
    }
    await sendFrom(chain, account, { to: tokens.WETH.address, value: wrappedEther })
  }
}
