import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi, parseEther } from 'viem'
import { networks } from '#shared/networks.ts'
import type { LocalChain } from '#tools/stack/chain/connectLocalChain.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { uniswapV2Abi } from '../../../functions/solver/pools/uniswapV2Abi.ts'
import { deployToken, mintToken } from './uniswapV2.ts'

const { uniswapV2Factory, wrappedNative, vaultRelayer } = networks.sepolia
const provider = devAccounts[7].address
const syncAbi = parseAbi(['function sync()'])

/** A token of 18 decimals for one test, with a pool as small as needed. */
export type ShallowToken = {
  address: Address
  /** Adds wrapped native and own tokens to the pool, in whole tokens; the price follows the total. */
  deepen: (native: string, tokens: string) => Promise<void>
  /** Mints whole tokens for an owner, who approves the relayer. */
  fund: (owner: Address, tokens: string) => Promise<void>
  balanceOf: (owner: Address) => Promise<bigint>
}

/** Deploys a token and its pool with the wrapped native token. */
export const deployShallowToken = async (
  chain: LocalChain,
  symbol: string,
  native: string,
  tokens: string,
): Promise<ShallowToken> => {
  const address = await deployToken(chain, symbol)
  const send = (from: Address, to: Address, data: Hex) => sendFrom(chain, from, { to, data })
  const pair = { abi: uniswapV2Abi, args: [address, wrappedNative] } as const
  await send(provider, uniswapV2Factory, encodeFunctionData({ ...pair, functionName: 'createPair' }))
  const pool = await chain.readContract({ ...pair, address: uniswapV2Factory, functionName: 'getPair' })

  const token: ShallowToken = {
    address,
    deepen: async (moreNative, moreTokens) => {
      const value = parseEther(moreNative)
      await chain.setBalance({ address: provider, value: value + parseEther('10') })
      await sendFrom(chain, provider, { to: wrappedNative, value })
      const pay = { abi: erc20Abi, functionName: 'transfer', args: [pool, value] } as const
      await send(provider, wrappedNative, encodeFunctionData(pay))
      await mintToken(chain, address, pool, parseEther(moreTokens))
      // not mint, which reverts when a settlement swaps in between and counts the new tokens
      await send(provider, pool, encodeFunctionData({ abi: syncAbi, functionName: 'sync' }))
    },
    fund: async (owner, amount) => {
      await mintToken(chain, address, owner, parseEther(amount))
      const approve = { abi: erc20Abi, functionName: 'approve', args: [vaultRelayer, maxUint256] } as const
      await send(owner, address, encodeFunctionData(approve))
    },
    balanceOf: (owner) => chain.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
  }
  await token.deepen(native, tokens)
  return token
}
