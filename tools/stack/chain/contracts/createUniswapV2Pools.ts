import { type Address, encodeFunctionData, erc20Abi, pad, parseAbi, parseEther, parseUnits, zeroAddress } from 'viem'
import { type Network, networks } from '#shared/networks.ts'
import type { LocalChain } from '../connectLocalChain.ts'
import { devAccounts } from '../devAccounts.ts'
import { sendFrom } from '../sendFrom.ts'
import { installContract } from './installContract.ts'
import { readArtifact } from './readArtifact.ts'

type Token = { address: Address; decimals: number }
export type PoolTokens = Record<'WETH' | 'USDC' | 'DAI' | 'COW', Token>

/**
 * Reserves in whole tokens: one ether is 3,000 dollars or 10,000 COW in every pool. The pool of WETH and DAI is
 * shallow, so that large trades between them route over USDC; COW and dollars meet only over WETH.
 */
const pools = [
  [
    ['WETH', '10000'],
    ['USDC', '30000000'],
  ],
  [
    ['USDC', '30000000'],
    ['DAI', '30000000'],
  ],
  [
    ['WETH', '200'],
    ['DAI', '600000'],
  ],
  [
    ['WETH', '1000'],
    ['COW', '10000000'],
  ],
] as const

const factoryAbi = parseAbi([
  'function getPair(address, address) view returns (address)',
  'function createPair(address, address) returns (address)',
])
const pairAbi = parseAbi([
  'function totalSupply() view returns (uint256)',
  'function mint(address to) returns (uint256)',
])

/**
 * The Uniswap V2 factory at its public address, and pools with liquidity of `devAccounts[7]`.
 * @returns the factory
 */
export const createUniswapV2Pools = async (
  chain: LocalChain,
  tokens: PoolTokens,
  { uniswapV2Factory: factory }: Network = networks.sepolia,
): Promise<Address> => {
  const provider = devAccounts[7].address
  // Slot 1 is `feeToSetter`; with `feeTo` unset the whole swap fee stays in the pool.
  await installContract(chain, factory, {
    code: readArtifact('@uniswap/v2-core/build/UniswapV2Factory.json').deployedBytecode,
    storage: { '0x1': pad(provider) },
  })
  for (const [[symbolA, amountA], [symbolB, amountB]] of pools) {
    const [tokenA, tokenB] = [tokens[symbolA], tokens[symbolB]]
    const args = [tokenA.address, tokenB.address] as const
    const findPair = () => chain.readContract({ address: factory, abi: factoryAbi, functionName: 'getPair', args })
    if ((await findPair()) === zeroAddress) {
      const data = encodeFunctionData({ abi: factoryAbi, functionName: 'createPair', args })
      await sendFrom(chain, provider, { to: factory, data })
    }
    const pair = await findPair()
    if (await chain.readContract({ address: pair, abi: pairAbi, functionName: 'totalSupply' })) continue
    if (symbolA === 'WETH') await wrap(chain, tokenA.address, provider, parseEther(amountA))
    await transfer(chain, tokenA, provider, pair, amountA)
    await transfer(chain, tokenB, provider, pair, amountB)
    await sendFrom(chain, provider, {
      to: pair,
      data: encodeFunctionData({ abi: pairAbi, functionName: 'mint', args: [provider] }),
    })
  }
  return factory
}

const wrap = async (chain: LocalChain, weth: Address, owner: Address, value: bigint): Promise<void> => {
  await chain.setBalance({ address: owner, value: value + (await chain.getBalance({ address: owner })) })
  await sendFrom(chain, owner, { to: weth, value })
}

const transfer = (chain: LocalChain, token: Token, from: Address, to: Address, amount: string): Promise<void> =>
  sendFrom(chain, from, {
    to: token.address,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [to, parseUnits(amount, token.decimals)],
    }),
  })
