import { type Address, encodeFunctionData, erc20Abi, parseEther, parseUnits } from 'viem'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import type { Arena } from './arena.ts'

/** Whole tokens, of the account that provides the stack's liquidity. */
const amounts = { WETH: '200', USDC: '600000', DAI: '600000', COW: '2000000' } as const

/** Gives an account some of every token of the stack. */
export const payFromProvider = async ({ stack: { chain, info } }: Pick<Arena, 'stack'>, to: Address): Promise<void> => {
  const provider = devAccounts[7].address
  const balance = await chain.getBalance({ address: provider })
  await chain.setBalance({ address: provider, value: balance + parseEther(amounts.WETH) })
  await sendFrom(chain, provider, { to: info.contracts.wrappedNative, value: parseEther(amounts.WETH) })
  for (const [symbol, amount] of Object.entries(amounts)) {
    const token = info.tokens[symbol]
    if (!token) throw new Error(`no token ${symbol}`)
    const args = [to, parseUnits(amount, token.decimals)] as const
    await sendFrom(chain, provider, {
      to: token.address,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
    })
  }
}
